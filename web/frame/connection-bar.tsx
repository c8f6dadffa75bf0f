import './connection-bar.css'
import { timeOfDay } from '../parts/format-time.ts'
import { State } from '../parts/state.tsx'
import { t } from '../text/text.ts'

interface ConnectionBarProps {
  state: 'reconnecting' | 'offline'
  /** When the page was last current, in milliseconds. */
  since: number
}

/** Says that the page shows an older state, for as long as it does. */
export function ConnectionBar({ state, since }: ConnectionBarProps) {
  const time = timeOfDay(since)
  return (
    <div class="connection-bar" role="status">
      <State
        of="attention"
        word={state === 'offline' ? t.frame.offline(time) : t.frame.reconnecting(time)}
      />
    </div>
  )
}
