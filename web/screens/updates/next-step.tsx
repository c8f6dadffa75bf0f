import type { Update } from '../../data/newer-images.ts'
import { now } from '../../parts/clock.ts'
import { exactTime } from '../../parts/format-time.ts'
import { t } from '../../text/text.ts'
import { whenText } from './when-text.ts'

/** Returns what happens next with the image of a service; undefined if nothing does. */
export function nextText({ next: { kind, at, reason } }: Update, time: number): string | undefined {
  if (kind === 'none') return undefined
  if (kind === 'due' && reason !== null) return t.updates.waits
  if (kind !== 'planned') return t.updates.nextKinds[kind]
  const moment = at === null ? time : Date.parse(at)
  return moment > time ? t.updates.planned(whenText(moment, time)) : t.updates.nextKinds.due
}

/** Returns whether there is something to say of what happens next, or why nothing is known. */
export const hasNext = ({ next, reason }: Update): boolean =>
  next.kind !== 'none' || reason !== null

/** What happens next with the image of a service, and why. */
export function NextStep({ of }: { of: Update }) {
  const { next, reason } = of
  const text = nextText(of, now.value)
  const reasons = [next.reason, reason].filter((one) => one !== null)
  return (
    <span class="next-step">
      {text !== undefined && (
        <span title={next.at === null ? undefined : exactTime(new Date(next.at))}>{text}</span>
      )}{' '}
      {reasons.length > 0 && <span class="quiet-text">{reasons.join('; ')}</span>}
    </span>
  )
}
