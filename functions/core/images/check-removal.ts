import { imageName } from '../../compose/reference/image-name.ts'
import { refusedByPolicy } from '../errors.ts'
import { lacks } from '../owners/rights.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ImageSummary } from '../records/host-engine.ts'
import type { ImageUser } from './image-access.ts'
import { imageOwners, isLive } from './image-owners.ts'

/**
 * Checks that a caller may remove an image, or one name of it. A name that is free is free for a
 * build, and what runs by that name later runs the image of that build.
 *
 * @param named a name or an ID, as `DELETE /images/{id}` takes it
 * @throws 403 for a name that no stack builds, without `stacks:privileged`, or that a stack builds
 *   which the caller may not deploy
 */
export async function checkRemoval(
  named: string,
  { hostId, reach, mayDeploy }: Omit<ImageUser, 'stack'>,
  engine: Pick<Engine, 'images' | 'installation'>,
  ports: Needs<'owners' | 'stacks'>,
): Promise<void> {
  if (reach === 'host') return
  const { images: ofService } = await engine.installation()
  // The Engine port refuses those for everybody.
  const images = (await engine.images()).filter(({ id }) => !ofService.has(id))
  const names = namesToRemove(named, images)
  const owners = await imageOwners(hostId, ports)
  for (const name of names) {
    const owner = owners.get(imageName(name).name)
    const isOfStack = owner !== undefined && (await isLive(owner, ports))
    const mayDeployOwner = isOfStack && ((await mayDeploy?.(owner.stack)) ?? false)
    if (!lacks('replace-image', isOfStack ? 'stack' : 'foreign', { mayDeployOwner })) continue
    const [whose, needed] = isOfStack
      ? ['another stack builds it', 'permission to read and deploy that stack, or ']
      : ['no stack builds it', '']
    throw refusedByPolicy(
      `image ${name}: ${whose}: removing it or this name requires ${needed}stacks:privileged`,
    )
  }
}

/** Returns the names that a removal can take away; by an ID or a digest, all of the image. */
function namesToRemove(named: string, images: readonly ImageSummary[]): string[] {
  const { kind, name } = imageName(named)
  const tagged = images.flatMap(({ tags }) => tags).filter((tag) => imageName(tag).name === name)
  if (kind === 'tag' && tagged.length > 0) return tagged
  const digits = named.replace(/^sha256:/, '')
  const [, digest] = named.split('@')
  return images
    .filter(
      ({ id, digests }) =>
        id.startsWith(`sha256:${digits}`) ||
        (digest !== undefined && digests.some((one) => one.endsWith(`@${digest}`))),
    )
    .flatMap(({ tags }) => tags)
}
