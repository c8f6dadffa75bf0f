import { ownEntry } from '../../compose/lookup.ts'
import { must } from '../../compose/must.ts'
import {
  type Comparison,
  comparedKey,
  type ImageLook,
  type LookProblem,
} from '../records/image-look.ts'
import type { ImageTag } from '../records/image-manifest.ts'
import { digestsOf } from './compare-image.ts'
import { isOld } from './look-times.ts'
import { type ServiceImage, type UsedImage, whyNotAsked } from './service-images.ts'

export const updateStates = ['newer', 'current', 'unknown', 'not_checked'] as const
export type UpdateState = (typeof updateStates)[number]

/** Whether the registry has a newer image than a service runs. */
export interface UpdateStatus {
  state: UpdateState
  /** Why it is unknown or not checked, or what failed since the newer image was seen. */
  reason: string | null
  /** Whether the last look failed, or the tag has no image for the host. */
  hasFailed: boolean
  newer: NewerImage | null
}

/** A newer image. `seenAt` is in milliseconds since the epoch. */
export interface NewerImage {
  digest: string
  seenAt: number
  source: string | null
}

/** What a judgement rests on besides the looks. */
export interface Terms {
  /** Private registries that are asked. */
  allowed: readonly string[]
  /** Milliseconds between two looks; 0 if there are none. */
  period: number
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * Judges whether the registry has a newer image than a service runs. It is `current` only after a
 * look that succeeded not long ago, and since then none failed.
 */
export function judgeUpdate(
  service: ServiceImage,
  look: ImageLook | undefined,
  { allowed, period, now }: Terms,
): UpdateStatus {
  const { tag, used } = service
  const unchecked = whyNotAsked(service, allowed)
  if (unchecked !== undefined || !tag) return without('not_checked', unchecked ?? null)
  if (used === null) return without('unknown', 'the host does not respond')
  const problem = look?.problem ? problemText(look.problem, tag) : null
  if (!look || look.digest === null) {
    return problem === null ? without('unknown', 'the registry was not asked yet') : failed(problem)
  }
  const results = used.map((image) => compared(service, image, look, tag))
  if (results.includes('newer')) {
    const hasFailed = problem !== null
    return { state: 'newer', reason: problem, hasFailed, newer: newerOf(look, service) }
  }
  if (problem !== null) return failed(problem)
  if (period === 0) return without('unknown', 'no registry is asked: updates.check_hours is 0')
  if (isOld(look.checkedAt, now, period)) return failed('the registry was not asked for too long')
  if (results.includes('no image for its platform')) {
    return failed('the tag no longer has an image for the platform of the host')
  }
  if (results.includes(undefined)) return without('unknown', 'the image is not compared yet')
  return without('current', null)
}

/** Returns how an image compares with what its tag has; undefined if that is not known. */
export function compared(
  { hostId }: Pick<ServiceImage, 'hostId'>,
  { id, digests }: UsedImage,
  look: ImageLook,
  tag: ImageTag,
): Comparison | undefined {
  const { digest } = look
  if (digest !== null && digests && digestsOf(digests, tag).includes(digest)) return 'same'
  return ownEntry(look.compared, comparedKey(hostId, id))?.result
}

const without = (state: UpdateState, reason: string | null): UpdateStatus => ({
  state,
  reason,
  hasFailed: false,
  newer: null,
})

const failed = (reason: string): UpdateStatus => ({
  ...without('unknown', reason),
  hasFailed: true,
})

function newerOf(look: ImageLook, { hostId, used }: ServiceImage): NewerImage {
  const sources = (used ?? []).map(
    ({ id }) => ownEntry(look.compared, comparedKey(hostId, id))?.source ?? null,
  )
  return {
    digest: must(look.digest, 'digest'),
    seenAt: must(look.seenAt, 'time of the digest'),
    source: sources.find((one) => one !== null) ?? null,
  }
}

/** Returns in one line why a registry did not say what a tag has. */
export function problemText(problem: LookProblem, { registry }: ImageTag): string {
  switch (problem.kind) {
    case 'missing':
      return `${registry} has no such tag`
    case 'limited': {
      const left = problem.left ? ` (${problem.left.remaining} of ${problem.left.limit} left)` : ''
      return `${registry} takes no further requests for now${left}`
    }
    case 'failed':
      return problem.text
  }
}
