import { type KeptImage, planPrune } from '../images/remove-unused.ts'
import { unusedSince, unusedUntil } from '../images/unused-since.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageSummary } from '../records/host-engine.ts'
import type { PrunePolicy } from '../records/prune-policy.ts'
import { candidatesOf } from './wanted-images.ts'

/** An unused image. Times are milliseconds since the epoch. */
export interface PreviewedImage {
  image: ImageSummary
  /** Since when the service has seen it unused; null if it has not, or if that does not matter. */
  since: number | null
  /** From when on a run removes it. */
  dueAt: number
}

/** What the next run of a policy would do, if nothing changes. */
export interface PrunePreview {
  runAt: number
  removed: PreviewedImage[]
  waiting: PreviewedImage[]
  kept: KeptImage[]
}

/** Returns what the next run of a policy would remove, which images wait, and which stay. */
export async function previewPrune(
  hostId: string,
  policy: Pick<PrunePolicy, 'what' | 'unusedDays' | 'seen' | 'nextRunAt'>,
  engine: Engine,
  ports: Needs<'clock' | 'deployments' | 'stacks'>,
): Promise<PrunePreview> {
  const now = ports.clock.now()
  const runAt = Math.max(policy.nextRunAt ?? now, now)
  const isWanted = candidatesOf(policy)
  const { images, kept } = await planPrune({ hostId, engine, isWanted }, ports)
  const all = images.map((image): PreviewedImage => {
    if (policy.what === 'nameless') return { image, since: null, dueAt: now }
    const since = unusedSince(image, policy) ?? null
    return { image, since, dueAt: unusedUntil(image, policy, now) }
  })
  return {
    runAt,
    removed: all.filter(({ dueAt }) => dueAt <= runAt),
    waiting: all.filter(({ dueAt }) => dueAt > runAt),
    kept,
  }
}
