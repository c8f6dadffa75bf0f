import { ownEntry } from '../../compose/lookup.ts'
import { type ImageName, imageName } from '../../compose/reference/image-name.ts'
import { registryProblem } from '../../compose/reference/registry-problem.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { ImageSummary } from '../records/host-engine.ts'
import type { ImageTag } from '../records/image-manifest.ts'
import type { StackRecord } from '../records/stack.ts'
import { imageTag } from '../registries/image-tag.ts'
import { isLoopback, registryOrigin } from '../registries/origin.ts'
import { isOfService } from '../states/stack-state.ts'
import { digestsOf } from './compare-image.ts'
import type { PolicyOf } from './policy-of.ts'

/** An image that a container of a service was made from. */
export interface UsedImage {
  id: string
  /** Repository digests; undefined if the host no longer has the image. */
  digests: readonly string[] | undefined
}

/** The image of a service, as the compose file names it, and what its containers were made from. */
export interface ServiceImage {
  stack: string
  hostId: string
  service: string
  /** As in the compose file. */
  reference: string
  name: ImageName
  /** Undefined if the reference is no tag. */
  tag: ImageTag | undefined
  /** The stack builds it. */
  isBuilt: boolean
  /** The update policy of the stack is `off`. */
  isOff: boolean
  /** Without duplicates. Null if the host does not respond. */
  used: readonly UsedImage[] | null
  /** A container of it runs, or it is a job that ended with 0. */
  isUp: boolean
}

/** What an Engine has. */
export interface HostImages {
  containers: readonly ContainerSummary[]
  images: readonly ImageSummary[]
}

/**
 * Returns the images of the services that stacks run, sorted by stack and service.
 *
 * @param host undefined if the host of these stacks does not respond
 */
export function serviceImages(
  stacks: readonly StackRecord[],
  host: HostImages | undefined,
  policyOf: PolicyOf,
): ServiceImage[] {
  const usedBy = host && imagesByService(host)
  return [...stacks].sort(byId).flatMap((stack) => {
    const names = Object.keys(stack.services).sort()
    return names.flatMap((service) => {
      const expected = ownEntry(stack.services, service)
      if (!expected || expected.inactive === true) return []
      const name = imageName(expected.image)
      const used = usedBy?.get(keyOf(stack.id, service)) ?? nothing
      return [
        {
          stack: stack.id,
          hostId: stack.hostId,
          service,
          reference: expected.image,
          name,
          tag: imageTag(name),
          isBuilt: Object.hasOwn(stack.builds ?? {}, name.name),
          isOff: policyOf(stack).mode === 'off',
          used: usedBy ? used.images : null,
          isUp: used.isRunning || (expected.job && used.hasSucceeded),
        },
      ]
    })
  })
}

/** Returns why the image of a service is not looked for in a registry; undefined if it is. */
export function whyUnchecked(service: ServiceImage): string | undefined {
  const { name, tag, isBuilt, isOff, used, hostId } = service
  if (isOff) return 'the update policy of the stack is off'
  if (isBuilt) return 'the stack builds this image'
  if (name.kind === 'id') return 'the compose file names the image by its id'
  if (name.kind === 'digest') return 'the compose file pins the image to a digest'
  if (!tag) return 'this is no name that a registry has'
  if (isLoopback(registryOrigin(tag.registry).hostname) && hostId !== 'local') {
    return 'its registry is on its own host, where only that host reaches it'
  }
  if (used === null) return undefined
  if (used.length === 0) return 'the service has no container'
  const isForeign = used.some(({ digests }) => digests && digestsOf(digests, tag).length === 0)
  return isForeign ? 'the image was built or loaded on its host, not pulled' : undefined
}

/**
 * Returns why no registry is asked for the image of a service; undefined if one is.
 *
 * @param allowed private registries that are asked
 */
export const whyNotAsked = (
  service: ServiceImage,
  allowed: readonly string[],
): string | undefined =>
  whyUnchecked(service) ?? (service.tag && registryProblem(service.tag.registry, allowed))

/** What the containers of a service say. */
interface UsedByService {
  images: UsedImage[]
  isRunning: boolean
  /** A container ended with 0. */
  hasSucceeded: boolean
}

const nothing: Readonly<UsedByService> = { images: [], isRunning: false, hasSucceeded: false }

function imagesByService({ containers, images }: HostImages): Map<string, UsedByService> {
  const digests = new Map(images.map((image) => [image.id, image.digests]))
  const services = new Map<string, UsedByService>()
  for (const container of containers) {
    const { stack, service, imageId, state, exitCode } = container
    if (stack === null || service === null || !isOfService(container)) continue
    const key = keyOf(stack, service)
    const used = services.get(key) ?? { ...nothing, images: [] }
    if (!used.images.some(({ id }) => id === imageId))
      used.images.push({ id: imageId, digests: digests.get(imageId) })
    used.isRunning ||= state === 'running'
    used.hasSucceeded ||= state === 'exited' && exitCode === 0
    services.set(key, used)
  }
  return services
}

const keyOf = (stack: string, service: string) => JSON.stringify([stack, service])

const byId = (one: StackRecord, other: StackRecord) => (one.id < other.id ? -1 : 1)
