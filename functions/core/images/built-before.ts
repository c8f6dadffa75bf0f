import type { ResolvedImage } from '../engine/engine.ts'
import type { Needs } from '../ports.ts'
import { sameImageName } from '../registries/image-name.ts'
import type { Deployment } from '../stacks/stack.ts'

/** How many deployments of a stack are looked through: as many as are kept at least. */
const deployments = 100

/**
 * Returns whether an image was built under this name by an earlier deployment of a stack. Versions
 * before owners were recorded left no other trace. That a stack ran the image says nothing: it may
 * have been another stack's.
 */
export async function hasBuilt(
  image: Pick<ResolvedImage, 'id' | 'digests'>,
  reference: string,
  stack: string,
  ports: Needs<'deployments'>,
): Promise<boolean> {
  const earlier = await ports.deployments.listByStack(stack, deployments)
  return earlier.some((one) => built(one, reference) && ran(one, image))
}

const built = ({ steps }: Deployment, reference: string) =>
  steps.some(
    ({ action, kind, name, status }) =>
      action === 'build' && kind === 'image' && status === 'done' && sameImageName(name, reference),
  )

const ran = ({ images }: Deployment, { id, digests }: Pick<ResolvedImage, 'id' | 'digests'>) =>
  Object.values(images).some((one) => one === id || digests.includes(one))
