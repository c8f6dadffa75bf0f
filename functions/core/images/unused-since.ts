import { createHash } from 'node:crypto'
import type { Needs } from '../ports/ports.ts'
import type { ImageSummary } from '../records/host-engine.ts'
import type { PrunePolicy, SeenUnused, UnusedSince } from '../records/prune-policy.ts'

type Named = Pick<ImageSummary, 'id' | 'tags' | 'digests'>

/** Unused images of a host whose time is counted. That of others begins once some of these go. */
const imagesMax = 1000

const day = 24 * 3_600_000

/** What is known of a host before the first look at its unused images. */
export const nothingSeen: SeenUnused = { at: null, images: [] }

/**
 * Returns what is known of the unused images after a look at all images of a host. The time of an
 * image begins when it is first seen without a container, and again when its names change.
 */
export function lookAtUnused(
  { images: before }: SeenUnused,
  images: readonly ImageSummary[],
  now: number,
): SeenUnused {
  const known = new Map(before.map((one) => [one.id, one]))
  const unused = images.filter(({ containers }) => containers === 0)
  const seen = unused.map((image): UnusedSince => {
    const names = namesOf(image)
    const found = known.get(image.id)
    const since = found?.names === names ? Math.min(found.since, now) : now
    return { id: image.id, since, names }
  })
  const longest = seen.toSorted((one, other) => one.since - other.since)
  return { at: now, images: longest.slice(0, imagesMax) }
}

/**
 * Returns what is known of unused images, so that the time since the last look does not count: the
 * clock jumped, or the service was off.
 */
export function skipTime({ at, images }: SeenUnused, now: number): SeenUnused {
  if (at === null) return { at, images }
  return { at: now, images: images.map((one) => ({ ...one, since: one.since + now - at })) }
}

/**
 * Returns when an unused image is old enough to be removed, in milliseconds since the epoch. One
 * that no look has seen counts from now.
 */
export function unusedUntil(image: Named, policy: UnusedTerms, now: number): number {
  return (unusedSince(image, policy) ?? now) + (policy.unusedDays ?? 0) * day
}

/** The days of a policy, and what it has seen. */
export type UnusedTerms = Pick<PrunePolicy, 'unusedDays' | 'seen'>

/** Returns since when an image is unused under its names; undefined if that is not known. */
export function unusedSince(image: Named, { seen }: Pick<PrunePolicy, 'seen'>): number | undefined {
  const found = seen.images.find(({ id }) => id === image.id)
  return found?.names === namesOf(image) ? found.since : undefined
}

/** Lets the time of an image begin again: someone pulled it, so it is wanted. */
export async function wantImage(
  hostId: string,
  { id }: Pick<ImageSummary, 'id'>,
  { prunePolicies }: Needs<'prunePolicies'>,
): Promise<void> {
  const policy = await prunePolicies.find(hostId)
  if (!policy?.seen.images.some((one) => one.id === id)) return
  const images = policy.seen.images.filter((one) => one.id !== id)
  const isWritten = await prunePolicies.replace({ ...policy, seen: { ...policy.seen, images } })
  if (!isWritten) await wantImage(hostId, { id }, { prunePolicies })
}

const namesOf = ({ tags, digests }: Named) =>
  createHash('sha256')
    .update(JSON.stringify([[...tags].sort(), [...digests].sort()]))
    .digest('hex')
    .slice(0, 16)
