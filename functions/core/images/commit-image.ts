import { ignoreError } from '../ignore-error.ts'
import { type EntryPorts, enterContainer } from '../owners/enter-container.ts'
import type { CommitOptions, Engine } from '../ports/engine.ts'
import type { ImageUser } from './image-access.ts'
import { waitForPrune } from './prune-images.ts'
import { checkName, type TagPorts, tagBuiltImage } from './tag-image.ts'

/** A container to make an image of, and the name of the image. */
export interface CommitRequest {
  containerId: string
  reference: string
  options: CommitOptions
}

/**
 * Makes an image of a container, under the rules for the names of images that a stack builds.
 * Returns its ID. Without the name it is removed again.
 *
 * @throws 404 if the container is gone, and what `enterContainer`, `checkName` and
 *   `tagBuiltImage` throw
 */
export async function commitImage(
  { containerId, reference, options }: CommitRequest,
  user: ImageUser,
  engine: Engine,
  signal: AbortSignal,
  ports: TagPorts & EntryPorts,
): Promise<string> {
  const container = await enterContainer(containerId, { hostId: user.hostId, engine }, user, ports)
  await checkName(reference, user, engine, ports)
  await waitForPrune(user.hostId, signal, ports)
  const id = await container.commit(options, signal)
  try {
    await tagBuiltImage({ id, reference }, user, engine, signal, ports)
  } catch (error) {
    await engine
      .removeImage(id, { force: false })
      .catch(ignoreError('remove an image without a name'))
    throw error
  }
  return id
}
