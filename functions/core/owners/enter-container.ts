import { refusedByPolicy } from '../errors.ts'
import { getContainerId } from '../hosts/container-id.ts'
import type { CommitOptions } from '../ports/engine.ts'
import type { AttachedContainer, ExecOptions, ExecSession } from '../ports/engine-exec.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerPath } from '../records/container-path.ts'
import type { Enterer } from './enterer.ts'
import { installationRefusal } from './installation-refusal.ts'
import { mayReach } from './may-reach.ts'
import type { EnteredHost } from './neighbours.ts'
import { type ReachedHere, reachedByContainer } from './reached-by-container.ts'
import { lacks } from './rights.ts'

export type EntryPorts = Needs<'hosts' | 'owners' | 'settings' | 'stacks'>

/**
 * A container that a caller may enter, by its full ID: a name could mean another container by now.
 * The methods are those of `Engine`.
 */
export interface EnteredContainer {
  readonly id: string
  /**
   * Checks again that it may be entered, with the rights that the account has now.
   *
   * @throws 403 if it may not
   */
  check(enterer: Enterer): Promise<void>
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
 * @throws 409 if the container is a part of the service; 403 if it controls its host and the caller
 *   lacks `stacks:privileged`, or has data that the caller may not have; 404 if there is no such
 *   container
 */
export async function enterContainer(
  named: string,
  host: EnteredHost,
  enterer: Enterer,
  ports: EntryPorts,
): Promise<EnteredContainer> {
  const { engine } = host
  const id = await getContainerId(engine, named)
  // The Engine port refuses it too. Here it comes before a 403, which no right would lift.
  const { containers } = await engine.installation()
  if (containers.has(id) && lacks('enter', 'installation'))
    throw installationRefusal(`container ${named}`)
  let things: ReachedThings | undefined
  const check = async (now: Enterer) => {
    if (now.reach === 'host') return
    // They do not change while the container exists.
    things ??= await thingsIn(id, host, ports)
    await requireReach(things, now, ports)
  }
  await check(enterer)
  return {
    id,
    check,
    exec: (options, signal) => engine.exec(id, options, signal),
    attach: (options, signal) => engine.attach(id, options, signal),
    stat: (path) => engine.statInContainer(id, path),
    read: (path, signal) => engine.readFromContainer(id, path, signal),
    write: (directory, archive) => engine.writeIntoContainer(id, directory, archive),
    commit: (options, signal) => engine.commitContainer(id, options, signal),
  }
}

/** The name of a container and what it has access to. */
type ReachedThings = Awaited<ReturnType<typeof reachedByContainer>>

async function thingsIn(id: string, host: EnteredHost, ports: EntryPorts): Promise<ReachedThings> {
  const kind = (await host.engine.installation()).containers.get(id)
  // The Engine port refuses to enter a part of the service, whoever asks.
  if (kind !== undefined && kind !== 'helper') return { name: id, reached: [] }
  return reachedByContainer(id, host, ports)
}

async function requireReach(
  { name, reached }: ReachedThings,
  enterer: Enterer,
  ports: Needs<'settings'>,
): Promise<void> {
  const control = reached.find(({ degree }) => degree === 'host')
  if (control) throw refusedControl(name, control)
  const settings = await ports.settings.get()
  for (const one of reached) {
    if (!(await mayReach(one, enterer, settings))) throw refusedData(name, one)
  }
}

const refusedControl = (container: string, { reason }: ReachedHere) =>
  refusedByPolicy(
    `container ${container}: entering it gives control of the host by ${reason}: this requires the permission stacks:privileged`,
  )

function refusedData(container: string, { reason, name, stack, volume }: ReachedHere) {
  const permissions =
    stack === undefined
      ? 'the permission stacks:privileged'
      : 'the permissions to read and deploy the stack that owns it, stacks:privileged'
  const setting = `the setting stacks.enterable_binds with ${name}`
  const wider = `stacks.shared_volumes with ${volume}, which also lets every stack use it`
  const settings = volume === undefined ? setting : `${setting}, or ${wider}`
  return refusedByPolicy(
    `container ${container}: entering it gives access to ${reason}: this requires ${permissions}, or ${settings}`,
  )
}
