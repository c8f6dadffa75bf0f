import { ownEntry } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import type { ObservedContainer, ObservedMount } from '../../compose/snapshot.ts'
import { Failure, refusedByPolicy } from '../errors.ts'
import type { EntryPorts } from '../owners/enter-container.ts'
import { enterJoined } from '../owners/enter-joined.ts'
import type { Enterer } from '../owners/enterer.ts'
import { hasCommonPath } from '../owners/is-same-mount.ts'
import type { Engine } from '../ports/engine.ts'
import type { StackRecord } from '../records/stack.ts'
import type { HostChanges } from './host-changes.ts'

/** The caller that creates containers of a stack or writes its files. */
interface Sharer extends Enterer {
  stack: Pick<StackRecord, 'id' | 'hostId' | 'directory'>
}

/** What a deployment or a one-off container brings to the host, and what exists there. */
interface Sharing {
  /** The services whose containers are created or may stay. */
  project: Mounting
  changes: Pick<HostChanges, 'write' | 'remove'> | null
  containers: readonly ObservedContainer[]
}

/**
 * Checks that the caller may enter each existing container of the stack which gets files or volumes
 * of the new ones. What it reads there decides what it does, and it can have been created from
 * other files, by an account with more rights.
 *
 * @throws 403 if the caller may not enter one of them
 */
export async function refuseSharedMounts(
  { stack, reach, mayDeploy }: Sharer,
  sharing: Sharing,
  engine: Engine,
  ports: EntryPorts,
): Promise<void> {
  if (reach === 'host') return
  const ids = sharingContainers(stack, sharing).map(({ id }) => id)
  try {
    await enterJoined(ids, { stack, reach, mayDeploy }, engine, ports)
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 403) throw error
    throw refusedByPolicy(
      `stack ${stack.id}: an existing container would get files or volumes of this deployment: ${error.message}`,
    )
  }
}

/** Returns the existing containers that get files or volumes of the new ones. */
export function sharingContainers(
  stack: Pick<StackRecord, 'directory'>,
  { project, changes, containers }: Sharing,
): ObservedContainer[] {
  const isShared = sharedBy(stack, project, changes)
  return containers.filter(({ mounts }) => mounts.some(isShared))
}

type Mounting = Pick<Project, 'services' | 'volumes'>

/** Returns what the services of a project mount: names of volumes, or paths of binds. */
const mountedBy = ({ services }: Mounting, kind: 'volume' | 'bind'): string[] =>
  Object.values(services)
    .flatMap((service) => service.volumes ?? [])
    .flatMap(({ type, source }) => (type === kind && source ? source : []))

/** Returns the names on the host of the volumes that the services of a project mount. */
export const mountedVolumes = (project: Mounting): string[] =>
  mountedBy(project, 'volume').map((key) => ownEntry(project.volumes, key)?.name ?? key)

/** Returns whether new containers mount, or a deployment writes, what a mount has. */
function sharedBy(
  { directory }: Pick<StackRecord, 'directory'>,
  project: Mounting,
  changes: Sharing['changes'],
): (mount: ObservedMount) => boolean {
  const names = new Set(mountedVolumes(project))
  const changed = [...Object.keys(changes?.write ?? {}), ...(changes?.remove ?? [])]
  const paths = [...mountedBy(project, 'bind'), ...changed.map((path) => `${directory}/${path}`)]
  return ({ type, name, source }) =>
    type === 'volume' ? names.has(name) : paths.some((path) => hasCommonPath(path, source))
}
