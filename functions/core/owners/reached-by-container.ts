import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { isInside } from '../../compose/policy/resource-reach.ts'
import { Failure } from '../errors.ts'
import { getHost } from '../hosts/target.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerAccess } from '../records/container.ts'
import type { Installation } from '../records/installation.ts'
import type { StackRecord } from '../records/stack.ts'
import { type ContainerPlace, reachedBy } from './container-degree.ts'
import { findOwner } from './find-owner.ts'
import { hostPath } from './host-paths.ts'
import { type EnteredHost, neighbours } from './neighbours.ts'
import type { Reached } from './reached.ts'
import type { KnownVolume } from './volume-reach.ts'

/** A thing that a container has access to, and the stack that it belongs to, if to one. */
export type ReachedHere = Reached & { stack?: string | undefined }

export type ReachPorts = Needs<'hosts' | 'owners' | 'stacks'>

/**
 * Returns everything beyond its stack that a container of a host has access to: itself, by a
 * namespace that it shares with another container, or, for control of the host, by what it writes
 * for another container of its stack.
 *
 * @param id the full ID
 * @throws 404 if there is no such container
 */
export async function reachedByContainer(
  id: string,
  host: EnteredHost,
  ports: ReachPorts,
): Promise<{ name: string; reached: ReachedHere[] }> {
  const first = await host.engine.access(id)
  const around = async (access: ContainerAccess) =>
    (await neighbours(access, host).catch(noneIfGone)) ?? []
  const all: Joined[] = [{ access: first, by: '', onlyControl: false }]
  for (const { access, onlyControl } of all) {
    for (const { container, by, isWritten } of await around(access)) {
      const other = await host.engine.access(container).catch(noneIfGone)
      if (!other) continue
      const next = { access: other, by: by(other.name), onlyControl: onlyControl || isWritten }
      if (!all.some((one) => covers(one, next))) all.push(next)
    }
  }
  const reached = await Promise.all(
    all.map(async ({ access, by, onlyControl }) =>
      ((await reachedAlone(access, host, ports).catch(noneIfGone)) ?? [])
        .filter(({ degree }) => degree === 'host' || !onlyControl)
        .map((one) => ({ ...one, reason: `${by}${one.reason}` })),
    ),
  )
  return { name: first.name, reached: reached.flat() }
}

/** Like `reachedByContainer`, but returns undefined if the container is gone by now. */
export const reachedIfThere = (
  ...given: Parameters<typeof reachedByContainer>
): Promise<Awaited<ReturnType<typeof reachedByContainer>> | undefined> =>
  reachedByContainer(...given).catch(noneIfGone)

/** A container whose access counts, and how another one comes to it. */
interface Joined {
  access: ContainerAccess
  by: string
  /** Only control of the host counts, as the data that it has does not get to the other one. */
  onlyControl: boolean
}

/** Returns whether a container counts already, and as much. */
const covers = (one: Joined, other: Joined) =>
  one.access.id === other.access.id && (!one.onlyControl || other.onlyControl)

/** A container that is gone has nothing any more. */
function noneIfGone(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status !== 404) throw error
}

async function reachedAlone(
  access: ContainerAccess,
  host: EnteredHost,
  ports: ReachPorts,
): Promise<ReachedHere[]> {
  const { hostId, engine } = host
  const [{ stack: project, networks }, { stacksDirectory }, stacks, installation] =
    await Promise.all([
      engine.container(access.id),
      getHost(hostId, ports),
      ports.stacks.list(),
      engine.installation(),
    ])
  const here = stacks.filter((stack) => stack.hostId === hostId)
  const volumes = await volumesOf({ access, project, installation }, host, ports)
  const place: ContainerPlace = {
    stacksDirectory,
    ownDirectory: here.find(({ id }) => id === project)?.directory,
    controlPaths: [...access.controlPaths, ...installation.directories],
    volumes,
  }
  const reached = reachedBy(access, place).map((one) => ({
    ...one,
    stack:
      one.volume === undefined ? stackAt(one.name, here) : ownEntry(volumes, one.volume)?.stack,
  }))
  return [...reached, ...storeReached(networks, installation)]
}

/** The store lets everyone in: with its records, an account gets every right. */
const storeReached = (
  networks: readonly { name: string }[],
  { storeNetworks }: Installation,
): Reached[] =>
  networks
    .filter(({ name }) => storeNetworks.has(name))
    .map(({ name }) => ({
      degree: 'host',
      reason: `the network ${name}, in which the store of this service answers`,
      name: `network:${name}`,
    }))

/** Returns the stack in whose directory a path of the host is. */
const stackAt = (name: string, stacks: readonly StackRecord[]): string | undefined =>
  stacks.find(({ directory }) => isInside(hostPath(directory), name))?.id

type OwnedVolume = KnownVolume & { stack: string | undefined }

async function volumesOf(
  {
    access: { mounts },
    project,
    installation,
  }: { access: ContainerAccess; project: string | null; installation: Installation },
  { hostId, engine }: EnteredHost,
  ports: ReachPorts,
): Promise<Record<string, OwnedVolume>> {
  const names = mounts.flatMap(({ type, name }) => (type === 'volume' && name ? name : []))
  if (names.length === 0) return {}
  const { volumes } = await engine.resolve({
    networks: [],
    images: [],
    volumes: [...new Set(names)],
  })
  const found = await Promise.all(
    Object.values(volumes).map(async ({ name, labels, options = {} }) => {
      const owner = await findOwner({ hostId, kind: 'volume', name }, labels, ports)
      const stack = owner?.how === 'left' ? undefined : owner?.stack
      const isOwn =
        owner === undefined
          ? isAnonymous(name) || (project !== null && labels[label.project] === project)
          : stack === project
      const isInstallation = installation.volumes.has(name)
      return [name, { options, isOwn, isInstallation, stack }] as const
    }),
  )
  return Object.fromEntries(found)
}

/** The Engine names a volume without a name by 256 random bits: it is that of its container. */
const isAnonymous = (name: string) => /^[0-9a-f]{64}$/.test(name)
