import type { Update } from '../../data/newer-images.ts'
import type { PolicyTerms, UpdatePolicy } from '../../data/update-policy.ts'
import { t } from '../../text/text.ts'
import { whenText } from '../updates/when-text.ts'
import { usualSchedules } from './policy-draft.ts'
import { shortDigest } from './short-digest.ts'

/** Returns what happens next with newer images of a stack, and when, in one sentence. */
export function updateSentence(
  policy: UpdatePolicy,
  updates: readonly Update[],
  now: number,
): string {
  if (policy.mode !== 'apply') return policySentence(policy)
  const watched = updates.filter(({ next }) => next.kind === 'watched')
  if (watched.length > 0) return t.updatePolicy.watches(servicesOf(watched))
  const due = updates.filter(({ next }) => next.kind === 'due')
  const reason = due[0]?.next.reason ?? null
  if (reason !== null) return t.updatePolicy.waits(imagesOf(due), reason)
  if (due.length > 0) return t.updatePolicy.appliesNow(imagesOf(due))
  const planned = firstPlanned(updates)
  if (planned) {
    const [at, applied] = planned
    return t.updatePolicy.appliesThen(imagesOf(applied), whenText(at, now))
  }
  return policySentence(policy)
}

/** Returns what a policy does with newer images, in one sentence. */
export function policySentence(policy: PolicyTerms): string {
  const { mode, window, minimum_age_hours: hours } = policy
  if (mode !== 'apply') return t.updatePolicy[mode]
  const when = window
    ? t.updatePolicy.inWindow(scheduleText(window.schedule), window.timezone)
    : t.updatePolicy.anyTime
  if (hours === 0) return t.updatePolicy.apply(when)
  const age = hours % 24 === 0 ? t.updatePolicy.days(hours / 24) : t.updatePolicy.hours(hours)
  return t.updatePolicy.applyAged(when, age)
}

/** Returns the services that only a person updates, by the reason. */
export function byHandLines(updates: readonly Update[]): readonly string[] {
  const byReason = new Map<string, Update[]>()
  for (const update of updates) {
    const { kind, reason } = update.next
    if (kind !== 'by_hand' || reason === null) continue
    byReason.set(reason, [...(byReason.get(reason) ?? []), update])
  }
  return [...byReason].map(([reason, of]) => t.updatePolicy.byHand(servicesOf(of), reason))
}

const servicesOf = (updates: readonly Update[]) => updates.map(({ service }) => service).join(', ')

/** Returns the image that is applied, or how many. */
function imagesOf(updates: readonly Update[]): string {
  const named = updates.map(({ image, newer }) =>
    newer ? t.updatePolicy.image(image, shortDigest(newer.digest)) : image,
  )
  const [only, ...others] = new Set(named)
  if (only === undefined || others.length > 0) return t.updatePolicy.images(updates.length)
  return only
}

/** Returns what is planned first, and when. */
function firstPlanned(updates: readonly Update[]): [number, readonly Update[]] | undefined {
  const timeOf = ({ next: { kind, at } }: Update) =>
    kind === 'planned' && at !== null ? [Date.parse(at)] : []
  const [first] = updates.flatMap(timeOf).sort((one, other) => one - other)
  return first === undefined
    ? undefined
    : [first, updates.filter((update) => timeOf(update)[0] === first)]
}

const scheduleText = (schedule: string) =>
  t.updatePolicy.schedules[(usualSchedules as readonly string[]).indexOf(schedule)] ?? schedule
