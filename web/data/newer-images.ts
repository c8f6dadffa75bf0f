import type { components } from './api.types.ts'

export type Update = components['schemas']['Update']
type UpdateState = Update['state']

export const updateStates = ['newer', 'current', 'unknown', 'not_checked'] as const

/** How many services of each stack have a newer image. Stacks without one are not in it. */
export type NewerCounts = ReadonlyMap<string, number>

export const noNewerImages: NewerCounts = new Map()

/** Returns how many services of each stack have a newer image. */
export function countNewer(updates: readonly Pick<Update, 'stack' | 'state'>[]): NewerCounts {
  const counts = new Map<string, number>()
  for (const { stack, state } of updates) {
    if (state === 'newer') counts.set(stack, (counts.get(stack) ?? 0) + 1)
  }
  return counts
}

/** Returns how many services are in each state. */
export function countStates(
  updates: readonly Pick<Update, 'state'>[],
): Readonly<Record<UpdateState, number>> {
  const counts = { newer: 0, current: 0, unknown: 0, not_checked: 0 }
  for (const { state } of updates) counts[state] += 1
  return counts
}

/** Returns when a registry answered last, and when one is asked next; null if that is not known. */
export function lookTimes(updates: readonly Pick<Update, 'checked_at' | 'next_check_at'>[]): {
  last: number | null
  next: number | null
} {
  const timesOf = (field: 'checked_at' | 'next_check_at') =>
    updates.flatMap(({ [field]: at }) => (at === null ? [] : [Date.parse(at)]))
  // A call with a thousand arguments is none that every browser takes.
  const pick = (times: readonly number[], isBetter: (time: number, best: number) => boolean) =>
    times.reduce<number | null>(
      (best, time) => (best === null || isBetter(time, best) ? time : best),
      null,
    )
  return {
    last: pick(timesOf('checked_at'), (time, best) => time > best),
    next: pick(timesOf('next_check_at'), (time, best) => time < best),
  }
}

/** Milliseconds. A look that is due as soon as this is as good as begun. */
const soon = 5000

/** Returns whether registries are being asked, or are about to be. */
export const isLookDue = (
  updates: readonly Pick<Update, 'next_check_at'>[],
  now: number,
): boolean => {
  const next = lookTimes(updates.map((update) => ({ ...update, checked_at: null }))).next
  return next !== null && next <= now + soon
}

/** Returns the page with the release notes of a newer image. Whoever made the image wrote it. */
export const releaseNotesOf = ({ source_url: url }: Pick<Update, 'source_url'>): string | null =>
  url?.startsWith('https://') ? url : null

/** Returns whether there are tags of newer versions for a service. */
export const hasProposals = ({ newer_tags: tags }: Pick<Update, 'newer_tags'>): boolean =>
  tags.length > 0

/** Returns the services with tags of newer versions, one for each image. */
export const proposalsOf = (updates: readonly Update[]): readonly Update[] => [
  ...new Map(updates.filter(hasProposals).map((update) => [update.image, update])).values(),
]

/** What a stack's page says about the newer images of a stack. */
export interface NewerImages {
  /** The image as the compose file names it, if they are all the same one. */
  image: string | undefined
  services: number
  /** When the first of them was seen. */
  since: string
  releaseNotes: string | null
}

/** Returns what is newer of a stack in short, or undefined if nothing is. */
export function summarizeNewer(updates: readonly Update[]): NewerImages | undefined {
  const newer = updates.flatMap((update) => (update.newer ? [{ ...update, ...update.newer }] : []))
  const since = newer.map(({ seen_at }) => seen_at).sort()[0]
  if (since === undefined) return undefined
  const images = new Set(newer.map(({ image }) => image))
  const [image] = images.size === 1 ? images : []
  const [releaseNotes = null] = newer.flatMap((update) => releaseNotesOf(update) ?? [])
  return {
    image,
    services: newer.length,
    since,
    releaseNotes: image === undefined ? null : releaseNotes,
  }
}

/** Returns the address of the plan of a deploy that takes what is newer. */
export const deployNewerHref = (stack: string): string =>
  `/stacks/${encodeURIComponent(stack)}/deploy?pull=always`
