import { unprocessable } from './errors.ts'
import { networkOf, ownEntry, serviceOf, volumeOf } from './lookup.ts'
import type { Project } from './project.ts'
import type { Service } from './service.ts'
import type { Resolved, ResourceNames, Snapshot } from './snapshot.ts'

/**
 * Returns what must be looked up by name before a project can be planned. `kept` are volumes of
 * removed containers.
 */
export function collectReferences(
  project: Project,
  kept: Readonly<KeptVolumes> = {},
): ResourceNames {
  return {
    networks: [
      ...usedNetworks(project).map((key) => networkOf(project, key).name),
      ...namedNetworks(project),
    ],
    volumes: [
      ...usedVolumes(project).map((key) => volumeOf(project, key).name),
      ...new Set(Object.values(kept)),
    ],
    images: [...new Set(Object.keys(project.services).flatMap((name) => allImages(project, name)))],
  }
}

/** Returns the keys of the networks that services use, or of all with `all_resources`. */
export function usedNetworks(project: Project): string[] {
  const used = new Set(
    Object.values(project.services).flatMap((service) => Object.keys(service.networks ?? {})),
  )
  for (const key of used) {
    if (!ownEntry(project.networks, key)) throw unprocessable(`networks.${key}: not defined`)
  }
  const unused = ({ external }: { external?: true }) => project.all_resources && !external
  return Object.keys(project.networks).filter(
    (key) => used.has(key) || unused(networkOf(project, key)),
  )
}

/** Returns the keys of the named volumes that services mount, or of all with `all_resources`. */
export function usedVolumes(project: Project): string[] {
  const used = new Set<string>()
  for (const service of Object.values(project.services)) {
    for (const key of volumeKeys(service)) used.add(key)
  }
  const unused = ({ external }: { external?: true }) => project.all_resources && !external
  return Object.keys(project.volumes).filter(
    (key) => used.has(key) || unused(volumeOf(project, key)),
  )
}

/** Returns the keys of the named volumes that a service mounts. */
export function volumeKeys(service: Service): string[] {
  return (service.volumes ?? []).flatMap(({ type, source }) =>
    type === 'volume' && source !== undefined ? [source] : [],
  )
}

/**
 * Returns the image reference of a service. Without `image` it is the name that docker compose
 * gives to built images.
 */
export function imageOf(project: Project, service: string): string {
  return serviceOf(project, service).image ?? `${project.name}-${service}`
}

/** Returns the image of a service and those of its `pre_start` commands. */
export function allImages(project: Project, service: string): string[] {
  const hooks = serviceOf(project, service).pre_start ?? []
  return [imageOf(project, service), ...hooks.flatMap(({ image }) => image ?? [])]
}

/** Returns how many containers a service should have. */
export function scaleOf(service: Service): number {
  return service.scale ?? service.deploy?.replicas ?? 1
}

/**
 * Returns the image that each service has on the host: a repository digest, or the image ID if
 * there is none. Services whose image is not on the host are left out.
 */
export function imagesOf(project: Project, resolved: Resolved): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of Object.keys(project.services)) {
    const image = ownEntry(resolved.images, imageOf(project, name))
    if (image) found[name] = digestOf(imageOf(project, name), image.digests) ?? image.id
  }
  return found
}

/** Prefers the digest of the repository in the reference; otherwise returns the first. */
export function digestOf(reference: string, digests: readonly string[]): string | undefined {
  const repository = repositoryOf(reference)
  return digests.find((digest) => repositoryOf(digest) === repository) ?? digests[0]
}

/**
 * Returns a reference without the registry `docker.io`, tag and digest, as the Engine writes it
 * before a digest.
 */
function repositoryOf(reference: string): string {
  const [name = ''] = reference.split('@')
  return name.replace(/:[^:/]*$/, '').replace(/^(docker\.io\/)(library\/)?/, '')
}

/**
 * Anonymous volumes of containers removed by a stop: `service/number:path in the container` →
 * volume name.
 */
export type KeptVolumes = Record<string, string>

/**
 * Returns the anonymous volumes to record when a project's containers are removed, so that the next
 * deploy can attach them again. Anonymous volumes have no project label. `previous` has those
 * recorded before.
 */
export function collectKeptVolumes(
  previous: Readonly<KeptVolumes>,
  snapshot: Pick<Snapshot, 'containers'>,
): KeptVolumes {
  const kept: KeptVolumes = { ...previous }
  for (const container of snapshot.containers) {
    if (container.oneoff) continue
    for (const [path, name] of Object.entries(anonymousVolumes(container.mounts))) {
      kept[`${container.service}/${container.number}:${path}`] = name
    }
  }
  return kept
}

/**
 * Returns the anonymous volumes among mounts: path in the container → volume name. The Engine names
 * them with 64 hexadecimal digits.
 */
export function anonymousVolumes(
  mounts: Snapshot['containers'][number]['mounts'],
): Record<string, string> {
  return Object.fromEntries(
    mounts
      .filter(({ type, name }) => type === 'volume' && /^[0-9a-f]{64}$/.test(name))
      .map(({ destination, name }) => [destination, name]),
  )
}

/** Returns the networks that services name in `network_mode`. */
const namedNetworks = (project: Project): string[] => [
  ...new Set(
    Object.values(project.services).flatMap(({ network_mode: mode }) =>
      mode !== undefined && isNamedNetwork(mode) ? [mode] : [],
    ),
  ),
]

/** Returns whether a `network_mode` is the name of a network other than the built-in ones. */
export const isNamedNetwork = (mode: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(mode) && !builtInNetworks.has(mode)

const builtInNetworks = new Set(['bridge', 'default', 'none', 'host', 'null', 'nat'])
