import { fileMounts } from '../../../compose/create/file-objects.ts'
import { ownEntry } from '../../../compose/lookup.ts'
import { joinPath } from '../../../compose/paths.ts'
import { buildPaths } from '../../../compose/policy/link-reach.ts'
import { isInside } from '../../../compose/policy/resource-reach.ts'
import type { Project } from '../../../compose/project.ts'
import type { Service } from '../../../compose/service.ts'
import type { Build, VolumeMount } from '../../../compose/service-parts.ts'
import type { ObservedContainer, ObservedMount, Snapshot } from '../../../compose/snapshot.ts'
import { anonymousVolumes, type KeptVolumes } from '../../../compose/used-resources.ts'

/** Data that a stack uses. A backup may store it or not. */
export interface StackUse {
  /** Null if no service is known to use it. */
  service: string | null
  /** A path in the container, or the attribute or the volume. */
  what: string
  /** The path on the host, for data that is not in a volume. */
  path?: string
  /** The name of the volume on the Engine. */
  volume?: string
  /** Why a backup leaves it out, if no source of the job stores it. */
  reason: string
}

/** A stack as its uses are found: what its files say, and what is on its host. */
export interface ObservedStack {
  /** Undefined if its files do not load. */
  project: Project | undefined
  /** The project with all profiles, if that loads. */
  whole: Project | undefined
  snapshot: Snapshot
  /** Names of those of its volumes that exist. */
  existing: ReadonlySet<string>
  kept: Readonly<KeptVolumes>
}

/**
 * Returns everything that the services of a stack use: what its containers mount, and what its
 * files declare. Memory, such as tmpfs, is no data.
 */
export function usesOf(observed: ObservedStack): StackUse[] {
  const uses = [...mountedUses(observed), ...keptUses(observed)]
  uses.push(...declaredUses(observed, uses))
  const used = new Set(uses.map(({ volume }) => volume))
  for (const { name } of observed.snapshot.volumes) {
    if (used.has(name)) continue
    const reason = 'no active service in its compose files uses it'
    uses.push({ service: null, what: `volume ${name}`, volume: name, reason })
  }
  if (!observed.project) {
    const what = 'what only its compose files name'
    uses.push({ service: null, what, reason: 'they do not load' })
  }
  return uses.filter(({ path }) => path === undefined || !isMemory(path))
}

/** Directories of a Linux host whose content is devices, or gone after a restart of the host. */
const memory = ['/dev', '/proc', '/run', '/sys', '/var/run']

/** Returns whether a path of the host has no data to keep, such as the Engine's socket. */
const isMemory = (path: string) =>
  memory.some((one) => path === one || path.startsWith(`${one}/`)) &&
  // Desktops mount disks here.
  !path.startsWith('/run/media/')

const anonymous = 'it is an anonymous volume'

const pathUse = (service: string | null, what: string, source: string): StackUse => {
  const path = source.startsWith('/') ? joinPath('/', source) : source
  return { service, what, path, reason: `${path} is outside of the stack's directory` }
}

function mountedUses(observed: ObservedStack): StackUse[] {
  return observed.snapshot.containers
    .filter(({ oneoff }) => !oneoff)
    .flatMap(({ service, mounts }) =>
      mounts.flatMap((mount) => {
        const { type, source, destination, name } = mount
        if (type === 'bind') return pathUse(service || null, destination, source)
        if (type !== 'volume' && type !== 'cluster') return []
        const reason = whyNotStored(mount, observed)
        return { service: service || null, what: destination, volume: name, reason }
      }),
    )
}

function whyNotStored(mount: ObservedMount, { project, whole }: ObservedStack): string {
  const { name } = mount
  const isIn = (one: Project | undefined) =>
    Object.values(one?.volumes ?? {}).some((volume) => volume.name === name)
  if (isIn(project)) return `the host does not list the volume ${name}`
  if (isIn(whole)) return ofProfile(name)
  if (name === '' || Object.keys(anonymousVolumes([mount])).length > 0) return anonymous
  return `the volume ${name} is not one of its compose files`
}

const ofProfile = (name: string) => `the volume ${name} is only of a profile that is not active`

/** Returns the anonymous volumes of containers that a stop removed, which the next deploy uses. */
function keptUses({ kept, existing }: ObservedStack): StackUse[] {
  return Object.entries(kept).flatMap(([key, volume]) => {
    const colon = key.indexOf(':')
    const service = key.slice(0, key.lastIndexOf('/', colon))
    if (!existing.has(volume)) return []
    return { service, what: key.slice(colon + 1), volume, reason: anonymous }
  })
}

/** Returns what the files declare, except for anonymous volumes that were found already. */
function declaredUses(observed: ObservedStack, found: readonly StackUse[]): StackUse[] {
  const { project, whole = project, snapshot } = observed
  if (!project || !whole) return []
  const uses: StackUse[] = []
  const services = { ...project.disabled_services, ...whole.services }
  for (const [name, service] of Object.entries(services)) {
    const isActive = Object.hasOwn(project.services, name)
    for (const mount of service.volumes ?? []) {
      const isFound = found.some((one) => one.service === name && one.what === mount.target)
      uses.push(...declaredUse(name, mount, { isFound, isActive }, observed))
    }
    uses.push(...namedPaths(name, service, whole))
    uses.push(...foreignVolumes(name, service, snapshot.containers))
  }
  return uses
}

function declaredUse(
  service: string,
  { type, source, target }: VolumeMount,
  { isFound, isActive }: { isFound: boolean; isActive: boolean },
  { project, whole = project, existing }: ObservedStack,
): StackUse[] {
  if (type === 'bind') return [pathUse(service, target, source ?? '')]
  if (type !== 'volume' && type !== 'cluster') return []
  // One of a service that never ran does not exist.
  if (source === undefined) {
    return isFound || !isActive ? [] : [{ service, what: target, reason: anonymous }]
  }
  const volume = ownEntry(whole?.volumes, source)
  if (!volume) return []
  const { name, external = false } = volume
  if (existing.has(name)) return [{ service, what: target, volume: name, reason: ofProfile(name) }]
  // A volume of the stack that does not exist is created by the next deploy.
  const reason = `the external volume ${name} does not exist on the host`
  return external ? [{ service, what: target, volume: name, reason }] : []
}

/** Returns the files of secrets and configs, and what images are built from. */
function namedPaths(name: string, service: Service, whole: Project): StackUse[] {
  // The secrets of services that are not active are only in a project with all profiles.
  const files = Object.hasOwn(whole.services, name) ? fileMounts(whole, service) : []
  const { build } = service
  const keys = (build?.secrets ?? []).flatMap(
    ({ source }) => ownEntry(whole.secrets, source)?.file ?? [],
  )
  return [
    ...files.map(({ Source, Target }) => pathUse(name, String(Target), String(Source))),
    ...(build ? buildUses(name, build) : []),
    ...keys.map((file) => pathUse(name, 'build.secrets', file)),
  ]
}

function buildUses(name: string, build: Build): StackUse[] {
  const paths = [...buildPaths(build, ['build'])]
  // The Dockerfile is mostly a file of the context.
  const outermost = paths.filter(
    ({ path }) => !paths.some((one) => one.path !== path && isInside(one.path, path)),
  )
  return outermost.map(({ path, at }) => pathUse(name, at.join('.'), path))
}

/** Returns the containers whose volumes a service gets, unless its own container shows which. */
function foreignVolumes(
  name: string,
  service: Service,
  containers: readonly ObservedContainer[],
): StackUse[] {
  if (containers.some((one) => one.service === name && !one.oneoff)) return []
  return (service.volumes_from ?? []).flatMap((source) => {
    const [kind, container] = source.split(':')
    if (kind !== 'container') return []
    const reason = `the container ${container} is not one of the stack`
    return { service: name, what: 'volumes_from', reason }
  })
}
