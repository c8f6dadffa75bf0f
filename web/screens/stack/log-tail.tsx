import '../logs/log-text.css'
import { type ReadonlySignal, signal } from '@preact/signals'
import { ScrollText } from 'lucide'
import { useEffect, useMemo } from 'preact/hooks'
import type { Problem } from '../../data/problem.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Empty } from '../../parts/empty.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../text/text.ts'
import type { LogLine } from '../logs/log-ring.ts'
import { moreClass, shownPieces, timeOf } from '../logs/shown-line.ts'
import { followTail } from './follow-tail.ts'
import { usePageSeen } from './use-page-seen.ts'

/** The last lines of all services of a stack, as they come in. */
export function LogTail({ name }: { name: string }) {
  const tail = useTail(name)
  return (
    <Panel
      title={t.stack.lastLog}
      isFlush
      actions={
        <LinkButton
          href={`/stacks/${encodeURIComponent(name)}/logs`}
          kind="quiet"
          icon={ScrollText}
        >
          {t.stack.wholeLog}
        </LinkButton>
      }
    >
      <div class="log-tail" role="log" aria-live="off" aria-label={t.logs.of(name)}>
        <Loaded
          of={tail}
          what={t.logs.what}
          failed={t.logs.failed}
          rows={5}
          empty={<Empty title={t.logs.none} />}
        >
          {(all) => all.map((line, slot) => <Line key={slot} of={line} />)}
        </Loaded>
      </div>
    </Panel>
  )
}

function Line({ of: line }: { of: LogLine }) {
  const pieces = shownPieces(line, { json: true }).filter(({ classes }) => classes !== moreClass)
  const text = pieces.map((piece) => piece.text).join('')
  return (
    <p class={`tail-row ${line.kind}`} title={text}>
      <span class="tail-time">{timeOf(line.time).slice(0, 8)}</span>
      <span class="tail-source">{line.source}</span>
      <span class="log-text">
        {pieces.map(({ text: words, classes, color }, at) => (
          <span
            key={at}
            class={color ? `${classes} own-color` : classes}
            style={color ? { '--own': color } : undefined}
          >
            {words}
          </span>
        ))}
      </span>
    </p>
  )
}

interface Tail {
  /** Undefined until it is known whether there are any. */
  value: ReadonlySignal<readonly LogLine[] | undefined>
  problem: ReadonlySignal<Problem | undefined>
}

/** Follows the log of a stack while the page is seen. */
function useTail(name: string): Tail {
  const isSeen = usePageSeen()
  const tail = useMemo(
    () => ({
      value: signal<readonly LogLine[] | undefined>(undefined),
      problem: signal<Problem | undefined>(undefined),
    }),
    [name],
  )
  useEffect(() => (isSeen ? followTail(name, tail.value, tail.problem) : undefined), [tail, isSeen])
  return tail
}
