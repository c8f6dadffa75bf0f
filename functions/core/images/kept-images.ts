import { imageName } from '../../compose/reference/image-name.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'
import { bringsUp } from '../records/deployment-kinds.ts'
import type { ImageSummary } from '../records/host-engine.ts'
import type { StackRecord } from '../records/stack.ts'

/** The deployments of each stack whose images stay, so that a rollback finds them. */
const keptDeployments = 3

/** Stacks whose deployments are read at once. */
const readAtOnce = 16

/**
 * Why a prune leaves an image: a recent deployment ran with it or is running, or a stack went back
 * to it from an image that is held back.
 */
export const keepReasons = ['deployment', 'held_back'] as const
export type KeepReason = (typeof keepReasons)[number]

/** What needs an image that no container uses. */
export interface Keeper {
  stack: string
  reason: KeepReason
}

export type KeeperOf = (image: Pick<ImageSummary, 'id' | 'digests' | 'tags'>) => Keeper | undefined

/**
 * Returns a function that returns what needs an image of a host, or undefined. Images are compared
 * by ID and by the digest alone: a digest is the same image under each name. Those of a deployment
 * that is running are also compared by name, because it may not have created its containers yet.
 */
export async function readKeepers(
  hostId: string,
  { deployments, stacks }: Needs<'deployments' | 'stacks'>,
): Promise<KeeperOf> {
  const keepers = new Map<string, Keeper>()
  const keep = (images: readonly string[], keeper: Keeper) => {
    for (const image of images.map(bareName)) {
      if (!keepers.has(image)) keepers.set(image, keeper)
    }
  }
  const read = async (stack: StackRecord) => {
    for (const deployment of await recentDeployments(stack, { deployments })) {
      keep(imagesOf(deployment, stack), { stack: stack.id, reason: 'deployment' })
    }
    const before = (stack.heldBack ?? []).map((image) => image.before)
    keep(before, { stack: stack.id, reason: 'held_back' })
  }
  const waiting = (await stacks.list()).filter((stack) => stack.hostId === hostId)
  while (waiting.length > 0) await Promise.all(waiting.splice(0, readAtOnce).map(read))
  return ({ id, digests, tags }) =>
    [id, ...digests, ...tags].map((one) => keepers.get(bareName(one))).find((keeper) => keeper)
}

/** Returns the names, digests and IDs of the images that a deployment needs. */
function imagesOf(deployment: Deployment, { services }: StackRecord): string[] {
  const { images, options, steps, plannedImages = [] } = deployment
  const before = (options.update?.images ?? []).map((image) => image.before)
  const ids = [images, options.images, options.retag].flatMap((one) => Object.values(one ?? {}))
  const known = [...ids, ...before]
  if (!isRunning(deployment)) return known
  const fetched = steps.filter(({ kind }) => kind === 'image').map(({ name }) => name)
  const named = [...plannedImages, ...Object.values(services).map(({ image }) => image)]
  return [...known, ...fetched, ...named]
}

/**
 * Returns the last deployments of a stack that brought it up, and its newest one, which may be
 * running, or an update that is to be taken back.
 */
async function recentDeployments(
  { id, last, openUpdate }: StackRecord,
  { deployments }: Needs<'deployments'>,
): Promise<Deployment[]> {
  // Only the newest deployment of a stack can run.
  const newest = [last?.deploymentId, openUpdate?.deploymentId]
  const isNewest = (one: Deployment) => isRunning(one) || newest.includes(one.id)
  const where = (one: Deployment) => isNewest(one) || isWhole(one)
  const found = await deployments.listByStack(id, keptDeployments + 2, { where })
  const whole = found.filter(isWhole).slice(0, keptDeployments)
  return [...found.filter((one) => !isWhole(one)), ...whole]
}

const isRunning = ({ status }: Deployment) => status === 'running'

/** One without steps changed nothing: its images are those of the one before. */
const isWhole = ({ kind, status, steps }: Deployment) =>
  bringsUp(kind) && status === 'succeeded' && steps.length > 0

/** Returns the digest of `nginx@sha256:…` alone, an ID as it is, and a name in its normal form. */
function bareName(image: string): string {
  if (image.startsWith('sha256:')) return image
  const { kind, name } = imageName(image)
  return kind === 'digest' ? name.slice(name.indexOf('@') + 1) : name
}
