import { isAny, isNameless } from '../images/remove-unused.ts'
import { unusedUntil } from '../images/unused-since.ts'
import type { ImageSummary } from '../records/host-engine.ts'
import type { PrunePolicy } from '../records/prune-policy.ts'

type IsWanted = (image: ImageSummary) => boolean

/** Returns which unused images a policy is about, also before they are old enough. */
export const candidatesOf = ({ what }: Pick<PrunePolicy, 'what'>): IsWanted =>
  what === 'nameless' ? isNameless : isAny

/** Returns which unused images a policy removes at a time, if nothing keeps them. */
export function wantedBy(
  policy: Pick<PrunePolicy, 'what' | 'unusedDays' | 'seen'>,
  at: number,
): IsWanted {
  if (policy.what === 'nameless') return candidatesOf(policy)
  return (image) => unusedUntil(image, policy, at) <= at
}
