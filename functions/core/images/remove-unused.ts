import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageSummary, PrunedImages } from '../records/host-engine.ts'
import { type Keeper, readKeepers } from './kept-images.ts'

/** An unused image that stays, and what needs it. */
export interface KeptImage extends Keeper {
  image: ImageSummary
}

/** What a prune removes of a host, and the unused images that it leaves. */
export interface PrunePlan {
  images: ImageSummary[]
  kept: KeptImage[]
}

/** The result of a prune. `images` are those of which it removed something. */
export interface PruneResult extends PrunePlan, PrunedImages {}

type PlanPorts = Needs<'deployments' | 'stacks'>

/** Returns what a prune of images without a name would remove now. */
export async function planPrune(
  hostId: string,
  engine: Engine,
  ports: PlanPorts,
): Promise<PrunePlan> {
  return planWith(await readKeepers(hostId, ports), engine)
}

async function planWith(
  keeperOf: (image: ImageSummary) => Keeper | undefined,
  engine: Engine,
): Promise<PrunePlan> {
  const plan: PrunePlan = { images: [], kept: [] }
  for (const image of await engine.namelessImages()) {
    if (image.containers > 0) continue
    const keeper = keeperOf(image)
    if (keeper) plan.kept.push({ image, ...keeper })
    else plan.images.push(image)
  }
  return plan
}

/**
 * Removes the images of a host that have no name and that no container uses, except those that a
 * stack needs to go back. Call it as `pruneImages` does, under its lease.
 */
export async function removeUnused(
  hostId: string,
  engine: Engine,
  ports: PlanPorts,
  signal: AbortSignal,
): Promise<PruneResult> {
  const keeperOf = await readKeepers(hostId, ports)
  const tried = new Set<string>()
  const result: PruneResult = { images: [], kept: [], deleted: [], reclaimed: 0 }
  for (;;) {
    const { images, kept } = await planWith(keeperOf, engine)
    result.kept = kept
    // What an image was built from is listed once that one is gone, and may stay.
    const next = images.filter(({ id }) => !tried.has(id))
    if (next.length === 0) return result
    for (const { id } of next) tried.add(id)
    const { deleted, reclaimed } = await engine.pruneImages(
      next,
      (image) => keeperOf(image) !== undefined,
      signal,
    )
    const gone = new Set(deleted)
    result.images.push(...next.filter(({ id }) => gone.has(id)))
    result.deleted.push(...deleted)
    result.reclaimed += reclaimed
  }
}
