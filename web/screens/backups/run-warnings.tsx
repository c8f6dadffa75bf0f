import './backups.css'
import { Lines } from '../../parts/lines.tsx'
import { State } from '../../parts/state.tsx'

/** The warnings of a run, each in full. */
export function RunWarnings({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null
  return (
    <div class="run-warnings">
      <Lines of={of.map((text) => <State key={text} of="attention" word={text} />)} />
    </div>
  )
}
