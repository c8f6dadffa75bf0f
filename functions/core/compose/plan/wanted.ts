import type { Resolved, Snapshot, Wanted } from '../../engine/engine.ts'
import { unprocessable } from '../../errors.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'

/** What must be looked up by name before a project can be planned. `kept` are volumes of containers that are gone. */
export function wanted(project: Project, kept: Readonly<KeptVolumes> = {}): Wanted {
  return {
    networks: [
      ...usedNetworks(project).map((key) => project.networks[key]!.name),
      ...namedNetworks(project),
    ],
    volumes: [
      ...usedVolumes(project).map((key) => project.volumes[key]!.name),
      ...new Set(Object.values(kept)),
    ],
    images: [...new Set(Object.keys(project.services).flatMap((name) => allImages(project, name)))],
  }
}

/** Keys of the networks that services of the project are in. */
export function usedNetworks(project: Project): string[] {
  const used = new Set(
    Object.values(project.services).flatMap((service) => Object.keys(service.networks ?? {})),
  )
  for (const key of used) {
    if (!project.networks[key]) throw unprocessable(`networks.${key}: not defined`)
  }
  return Object.keys(project.networks).filter((key) => used.has(key))
}

/** Keys of the named volumes that services of the project mount. */
export function usedVolumes(project: Project): string[] {
  const used = new Set<string>()
  for (const service of Object.values(project.services)) {
    for (const key of volumeKeys(service)) used.add(key)
  }
  return Object.keys(project.volumes).filter((key) => used.has(key))
}

/** Keys of the named volumes that a service mounts. */
export function volumeKeys(service: Service): string[] {
  return (service.volumes ?? [])
    .filter((mount) => mount.type === 'volume' && mount.source !== undefined)
    .map((mount) => mount.source!)
}

/** The image reference of a service; one without gets the name that docker compose gives to what it builds. */
export function imageOf(project: Project, service: string): string {
  return project.services[service]!.image ?? `${project.name}-${service}`
}

/** The image of a service, and those of its `pre_start` commands. */
export function allImages(project: Project, service: string): string[] {
  const hooks = project.services[service]!.pre_start ?? []
  return [imageOf(project, service), ...hooks.flatMap(({ image }) => image ?? [])]
}

/** How many containers a service is to have. */
export function scaleOf(service: Service): number {
  return service.scale ?? service.deploy?.replicas ?? 1
}

/** Service → what its image is on the host: a repository digest, else the image's id. Those not there are missing. */
export function imagesOf(project: Project, resolved: Resolved): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of Object.keys(project.services)) {
    const image = resolved.images[imageOf(project, name)]
    if (image) found[name] = digestOf(imageOf(project, name), image.digests) ?? image.id
  }
  return found
}

/** The digest under the name by which the image was asked for, else any. */
function digestOf(reference: string, digests: readonly string[]): string | undefined {
  const repository = repositoryOf(reference)
  return digests.find((digest) => repositoryOf(digest) === repository) ?? digests[0]
}

/** A reference without registry `docker.io`, tag and digest, as the Engine writes it before a digest. */
function repositoryOf(reference: string): string {
  const [name = ''] = reference.split('@')
  return name.replace(/:[^:/]*$/, '').replace(/^(docker\.io\/)(library\/)?/, '')
}

/** Anonymous volumes of containers that a stop removed: `service/number:path in the container` → volume name. */
export type KeptVolumes = Record<string, string>

/**
 * What to remember when a project's containers are removed, so that the next deploy gives each container its anonymous
 * volumes back. Anonymous volumes carry no label of their project. `previous` is what was remembered before.
 */
export function keepVolumes(
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

/** Path in the container → name of the anonymous volume there. The Engine names those by 64 hexadecimal digits. */
export function anonymousVolumes(
  mounts: Snapshot['containers'][number]['mounts'],
): Record<string, string> {
  return Object.fromEntries(
    mounts
      .filter(({ type, name }) => type === 'volume' && /^[0-9a-f]{64}$/.test(name))
      .map(({ destination, name }) => [destination, name]),
  )
}

/** Networks that services name in `network_mode`. */
const namedNetworks = (project: Project): string[] => [
  ...new Set(
    Object.values(project.services).flatMap(({ network_mode: mode }) =>
      mode !== undefined && isNamedNetwork(mode) ? [mode] : [],
    ),
  ),
]

/** True for a `network_mode` that is the name of a network, and none that every Engine has. */
export const isNamedNetwork = (mode: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(mode) && !builtInNetworks.has(mode)

const builtInNetworks = new Set(['bridge', 'default', 'none', 'host', 'null', 'nat'])
