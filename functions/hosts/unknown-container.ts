import type { HostConnection, Host as HostRecord } from '../core/records/host.ts'
import type { ServiceProcess } from '../core/records/installation.ts'

/** What decides whether a part of the service on a host does not know its container. */
interface PartsOnHost {
  processes: readonly ServiceProcess[]
  connection: HostConnection | undefined
  /** Undefined while the Engine does not respond, null if it has none. */
  engineId: string | null | undefined
}

/**
 * Returns the warning for a host on which a process or the agent runs in a container and cannot
 * find which, or undefined. Its log has the same at its start.
 */
export function unknownContainer(
  host: Pick<HostRecord, 'agent'>,
  { processes, connection, engineId }: PartsOnHost,
): string | undefined {
  const isHere = (one: ServiceProcess) =>
    one.engineId === null ? host.agent === null : one.engineId === engineId
  const found = processes.find((one) => one.container === 'unknown' && isHere(one))
  if (found) return warningOf(`the service (on ${found.machine})`)
  const isAgent = host.agent?.state === 'enrolled' && connection?.facts.container === 'unknown'
  return isAgent ? warningOf('the agent of this host') : undefined
}

const warningOf = (part: string) =>
  `${part} runs in a container and cannot find which: each container with its data directory or the Engine’s socket is protected as if it were that one. Run it with the /etc/hostname and /etc/hosts that the Engine mounts`
