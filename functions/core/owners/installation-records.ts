import { cacheFor } from '../cache-for.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { ServiceProcess } from '../records/installation.ts'
import { wasEverDeployed } from '../records/stack.ts'
import type { InstallationRecords } from './engine-facts.ts'

/** Milliseconds for which records are used again. */
const age = 500

/**
 * Returns a reader of where the parts of the installation run. Agents of revoked and removed hosts
 * are left out; an agent that is away counts. While the store does not answer, the last answer
 * counts: what was protected stays so.
 *
 * @param self this process, which counts before its record is written
 */
export function installationRecords(
  self: ServiceProcess,
  ports: Needs<'clock' | 'hostConnections' | 'hosts' | 'serviceProcesses' | 'stacks'>,
): () => Promise<InstallationRecords> {
  let last: InstallationRecords | undefined
  const read = async (): Promise<InstallationRecords> => {
    try {
      last = await readRecords(self, ports)
    } catch (error) {
      if (!last || !(error instanceof Failure)) throw error
    }
    return last
  }
  const cached = cacheFor(read, age, ports.clock.monotonic)
  return () => cached.get()
}

async function readRecords(
  self: ServiceProcess,
  ports: Needs<'hostConnections' | 'hosts' | 'serviceProcesses' | 'stacks'>,
): Promise<InstallationRecords> {
  const [processes, hosts, connections, stacks] = await Promise.all([
    ports.serviceProcesses.list(),
    ports.hosts.list(),
    ports.hostConnections.list(),
    ports.stacks.list(),
  ])
  const trusted = new Set(
    hosts.filter(({ agent }) => agent?.state === 'enrolled').map(({ id }) => id),
  )
  const agents = connections.filter(({ hostId }) => trusted.has(hostId))
  return {
    // A stack that never ran owns no project: creating one of its name must not take it over.
    stacks: stacks.filter(wasEverDeployed).map(({ id, hostId }) => ({ id, hostId })),
    processes: [...processes.filter(({ id }) => id !== self.id), self],
    agents: agents.map(({ hostId, facts: { container, hostname } }) => ({
      hostId,
      container,
      hostname,
    })),
  }
}

/** Records where this process runs. */
export async function registerProcess(
  self: ServiceProcess,
  { serviceProcesses }: Needs<'serviceProcesses'>,
): Promise<void> {
  for (;;) {
    const known = await serviceProcesses.find(self.id)
    const written = known
      ? await serviceProcesses.replace({ ...self, revision: known.revision })
      : await serviceProcesses.create(self)
    if (written) return
  }
}

/**
 * Removes the records of containers that no longer exist on the Engine of this process, and those
 * of processes that did not find their container, if this one did.
 *
 * @param existing the IDs of all containers of that Engine
 */
export async function forgetRemovedProcesses(
  self: ServiceProcess,
  existing: ReadonlySet<string>,
  { serviceProcesses }: Needs<'serviceProcesses'>,
): Promise<void> {
  for (const { id, container, engineId, dataDirectory } of await serviceProcesses.list()) {
    if (id === self.id || engineId === null || engineId !== self.engineId) continue
    const isReplaced = container === 'unknown' && dataDirectory === self.dataDirectory
    const isRemoved = /^[0-9a-f]{64}$/.test(container) && !existing.has(container)
    if (isReplaced || isRemoved) await serviceProcesses.remove(id)
  }
}
