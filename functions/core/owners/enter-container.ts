import type { Reach } from '../../compose/project.ts'
import { refusedByPolicy } from '../errors.ts'
import { getContainerId } from '../feeds/container.ts'
import type { CommitOptions } from '../ports/engine.ts'
import type { AttachedContainer, ExecOptions, ExecSession } from '../ports/engine-exec.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerPath } from '../records/container-path.ts'
import { type EnteredHost, type ReachedHere, reachedByContainer } from './reached-by-container.ts'

/** The rights of an account that enters a container. */
export interface Enterer {
  /** What the permissions of the caller reach: the host only with `stacks:privileged`. */
  reach: Reach
  /** Returns whether the caller may read and deploy a stack. If absent, the caller may not. */
  mayDeploy?: ((stack: string) => Promise<boolean>) | undefined
}

export type EntryPorts = Needs<'hosts' | 'owners' | 'stacks'>

/**
 * A container that a caller may enter, by its full ID: a name could mean another container by now.
 * The methods are those of `Engine`.
 */
export interface EnteredContainer {
  readonly id: string
  exec(options: ExecOptions, signal: AbortSignal): Promise<ExecSession>
  attach(options: { tty: boolean }, signal: AbortSignal): Promise<AttachedContainer>
  stat(path: string): Promise<ContainerPath>
  read(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>
  write(directory: string, archive: Buffer): Promise<void>
  commit(options: CommitOptions, signal: AbortSignal): Promise<string>
}

/**
 * Checks that a caller may have what a container has access to, and returns the ways into it. All
 * entering goes through here; a rule keeps it.
 *
 * @param named the ID of the container, the beginning of it, or its name
 * @throws 403 if the container controls its host and the caller lacks `stacks:privileged`, 404 if
 *   there is no such container
 */
export async function enterContainer(
  named: string,
  host: EnteredHost,
  enterer: Enterer,
  ports: EntryPorts,
): Promise<EnteredContainer> {
  const { engine } = host
  const id = await getContainerId(engine, named)
  if (enterer.reach === 'stack') await requireReach(id, host, ports)
  return {
    id,
    exec: (options, signal) => engine.exec(id, options, signal),
    attach: (options, signal) => engine.attach(id, options, signal),
    stat: (path) => engine.statInContainer(id, path),
    read: (path, signal) => engine.readFromContainer(id, path, signal),
    write: (directory, archive) => engine.writeIntoContainer(id, directory, archive),
    commit: (options, signal) => engine.commitContainer(id, options, signal),
  }
}

async function requireReach(id: string, host: EnteredHost, ports: EntryPorts): Promise<void> {
  const { name, reached } = await reachedByContainer(id, host, ports)
  const control = reached.find(({ degree }) => degree === 'host')
  if (control) throw refusedEntry(name, control)
}

const refusedEntry = (container: string, { reason }: ReachedHere) =>
  refusedByPolicy(
    `container ${container}: entering it gives control of the host by ${reason}: this requires the permission stacks:privileged`,
  )
