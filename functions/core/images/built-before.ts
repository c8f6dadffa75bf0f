import { sameImageName } from '../../compose/reference/image-name.ts'
import type { ResolvedImage } from '../../compose/snapshot.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'

/** The number of recent deployments of a stack to search: as many as are kept by default. */
const deployments = 100

/**
 * Returns whether an earlier deployment of a stack built an image under this name. Versions that
 * did not record owners left no other trace. Having run the image proves nothing: another stack may
 * have built it.
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
