import { ownEntry } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import { allImages, imageOf } from '../../compose/used-resources.ts'
import { imageOwners, ownerOf } from '../images/image-owners.ts'
import { lacks } from '../owners/rights.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { DeploymentRequest } from './request.ts'

/** The images to remove with a stack, and warnings about those that stay. */
export interface ImagesToRemove {
  images: string[]
  warnings: string[]
}

/**
 * Returns the images to remove when a stack is taken down. `local`: those that it built without a
 * name of their own. `all`: every image of its services. Images that other stacks built or use
 * stay, and so do built images that are not recorded as this stack's. Images that no stack built
 * stay unless the caller has access to the host, as for `DELETE /images/{id}`.
 */
export async function imagesToRemove(
  { stack, reach, enterer }: Pick<DeploymentRequest, 'stack' | 'reach' | 'enterer'>,
  mode: 'local' | 'all',
  project: Project | null,
  engine: Engine,
  ports: Needs<'owners' | 'stacks'>,
): Promise<ImagesToRemove> {
  if (!project) return { images: [], warnings: ['the files do not load, so the images stay'] }
  const whole = { ...project, services: { ...project.services, ...project.disabled_services } }
  const named = Object.entries(whole.services).flatMap(([name, service]) => {
    if (mode === 'all') return allImages(whole, name)
    return service.image === undefined ? [imageOf(whole, name)] : []
  })
  const references = [...new Set(named)].filter((one) => imageName(one).kind !== 'id')
  const [owners, others, found] = await Promise.all([
    imageOwners(stack.hostId, ports),
    usedByOthers(stack, ports),
    engine.resolve({ networks: [], volumes: [], images: references }),
  ])
  const built = new Set(
    Object.entries(whole.services).flatMap(([name, { build }]) =>
      build ? [imageOf(whole, name)] : [],
    ),
  )
  const isLimited = (enterer?.reach ?? reach) !== 'host' && lacks('replace-image', 'foreign')
  const result: ImagesToRemove = { images: [], warnings: [] }
  for (const reference of references) {
    if (!ownEntry(found.images, reference)) continue
    const owner = ownerOf(reference, owners)
    const isOthers = owner && owner.stack !== stack.id
    const isUnrecorded = built.has(reference) && !owner
    if (isOthers || others.has(imageName(reference).name)) {
      result.warnings.push(`image ${reference} stays: another stack uses it`)
    } else if (isUnrecorded) {
      result.warnings.push(`image ${reference} stays: no record says that this stack built it`)
    } else if (!owner && isLimited) {
      result.warnings.push(
        `image ${reference} stays: no stack built it, and removing it requires stacks:privileged`,
      )
    } else result.images.push(reference)
  }
  return result
}

/** Returns the images that other stacks on the host use, by normal name. */
async function usedByOthers(
  { id, hostId }: StackRecord,
  { stacks }: Needs<'stacks'>,
): Promise<ReadonlySet<string>> {
  const others = (await stacks.list()).filter((one) => one.hostId === hostId && one.id !== id)
  return new Set(
    others.flatMap(({ images = {}, services }) => [
      ...Object.keys(images),
      ...Object.values(services).map(({ image }) => imageName(image).name),
    ]),
  )
}
