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

/**
 * Returns a function that returns what needs an image of a host, or undefined. Images are compared
 * by ID and by the digest alone: a digest is the same image under each name.
 */
export async function readKeepers(
  hostId: string,
  { deployments, stacks }: Needs<'deployments' | 'stacks'>,
): Promise<(image: Pick<ImageSummary, 'id' | 'digests'>) => Keeper | undefined> {
  const keepers = new Map<string, Keeper>()
  const keep = (images: Readonly<Record<string, string>> | undefined, keeper: Keeper) => {
    for (const image of Object.values(images ?? {})) {
      const digest = bareDigest(image)
      if (!keepers.has(digest)) keepers.set(digest, keeper)
    }
  }
  const read = async ({ id, heldBack }: StackRecord) => {
    for (const { images, options } of await recentDeployments(id, { deployments })) {
      for (const named of [images, options.images, options.retag])
        keep(named, { stack: id, reason: 'deployment' })
    }
    for (const { before } of heldBack ?? []) keep({ before }, { stack: id, reason: 'held_back' })
  }
  const waiting = (await stacks.list()).filter((stack) => stack.hostId === hostId)
  while (waiting.length > 0) await Promise.all(waiting.splice(0, readAtOnce).map(read))
  return ({ id, digests }) =>
    [id, ...digests].map((one) => keepers.get(bareDigest(one))).find((keeper) => keeper)
}

/** Returns the last deployments of a stack that brought it up, and one that is running. */
async function recentDeployments(
  stack: string,
  { deployments }: Needs<'deployments'>,
): Promise<Deployment[]> {
  const where = (one: Deployment) => isRunning(one) || isWhole(one)
  // Only the newest deployment of a stack can run.
  const found = await deployments.listByStack(stack, keptDeployments + 1, { where })
  const whole = found.filter(isWhole).slice(0, keptDeployments)
  return [...found.filter(isRunning), ...whole]
}

const isRunning = ({ status }: Deployment) => status === 'running'

const isWhole = ({ kind, status }: Deployment) => bringsUp(kind) && status === 'succeeded'

/** Returns the digest of `nginx@sha256:…`, or an ID as it is. */
const bareDigest = (image: string) => image.slice(image.indexOf('@') + 1)
