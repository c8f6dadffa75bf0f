import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageSummary, PrunedImages } from '../records/host-engine.ts'
import { type Keeper, type KeeperOf, readKeepers } from './kept-images.ts'

/** An unused image that stays, and what needs it. */
export interface KeptImage extends Keeper {
  image: ImageSummary
}

/** What a prune removes of a host, and the unused images that it leaves. */
export interface PrunePlan {
  images: ImageSummary[]
  kept: KeptImage[]
}

/** A plan, and the IDs of all images that were listed for it. */
interface ListedPlan extends PrunePlan {
  listed: ReadonlySet<string>
}

/** The result of a prune. `images` are those of which it removed something. */
export interface PruneResult extends PrunePlan, PrunedImages {}

/** The host of a prune. */
export interface PrunedHost {
  hostId: string
  engine: Engine
  /** Returns whether an unused image is pruned, if nothing keeps it. */
  isWanted: (image: ImageSummary) => boolean
}

/** Images that are removed before it is looked again what is needed: each may take seconds. */
const removedAtOnce = 20

type PlanPorts = Needs<'deployments' | 'stacks'>

/** `docker image prune`: the images that lost their names. */
export const isNameless = ({ tags }: Pick<ImageSummary, 'tags'>): boolean => tags.length === 0

/** `docker image prune --all`: also images with names. */
export const isAny = (): boolean => true

/** Returns what a prune would remove now. */
export async function planPrune(host: PrunedHost, ports: PlanPorts): Promise<PrunePlan> {
  const { images, kept } = await planWith(await readKeepers(host.hostId, ports), host)
  return { images, kept }
}

async function planWith(
  keeperOf: KeeperOf,
  { engine, isWanted }: Omit<PrunedHost, 'hostId'>,
): Promise<ListedPlan> {
  const found = isWanted === isNameless ? await engine.namelessImages() : await engine.images()
  const plan: ListedPlan = { images: [], kept: [], listed: new Set(found.map(({ id }) => id)) }
  const { images: ofService } = await engine.installation()
  for (const image of found) {
    if (image.containers > 0 || ofService.has(image.id) || !isWanted(image)) continue
    const keeper = keeperOf(image)
    if (keeper) plan.kept.push({ image, ...keeper })
    else plan.images.push(image)
  }
  return plan
}

/**
 * Removes the images of a host that no container uses, except those that a stack needs to go back.
 * Call it as `pruneImages` does, under its lease.
 */
export async function removeUnused(
  host: PrunedHost,
  ports: PlanPorts,
  signal: AbortSignal,
): Promise<PruneResult> {
  const tried = new Set<string>()
  const result: PruneResult = { images: [], kept: [], deleted: [], reclaimed: 0 }
  let first: ReadonlySet<string> | undefined
  for (;;) {
    const { images, kept, listed } = await planWith(await readKeepers(host.hostId, ports), host)
    result.kept = kept
    // What an image was built from is listed once that one is gone. What has a name is new.
    const isLeft = (image: ImageSummary) => !first || (isNameless(image) && !first.has(image.id))
    const next = images.filter((image) => !tried.has(image.id) && isLeft(image))
    first ??= listed
    if (next.length === 0) return result
    for (const { id } of next) tried.add(id)
    while (next.length > 0)
      await removeSome(next.splice(0, removedAtOnce), host, result, ports, signal)
  }
}

/** Removes some images, except those that a deployment needs that has begun since the plan. */
async function removeSome(
  images: readonly ImageSummary[],
  { hostId, engine }: PrunedHost,
  result: PruneResult,
  ports: PlanPorts,
  signal: AbortSignal,
): Promise<void> {
  const keeperOf = await readKeepers(hostId, ports)
  const keeps = ({ id, digests }: Pick<ImageSummary, 'id' | 'digests'>) =>
    keeperOf({ id, digests, tags: [] }) !== undefined
  const unneeded = images.filter((image) => keeperOf(image) === undefined)
  if (unneeded.length === 0) return
  const { deleted, reclaimed } = await engine.pruneImages(unneeded, keeps, signal)
  const gone = new Set(deleted)
  result.images.push(...unneeded.filter(({ id }) => gone.has(id)))
  result.deleted.push(...deleted)
  result.reclaimed += reclaimed
}
