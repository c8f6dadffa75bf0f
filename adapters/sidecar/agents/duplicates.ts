import { serviceRow } from '../../../functions/core/audit/row.ts'
import { isCertificateCurrent } from '../../../functions/core/hosts/admit.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { AgentFacts } from '../../../functions/core/records/agent-protocol.ts'
import type { DuplicateAgent, Host } from '../../../functions/core/records/host.ts'
import type { AgentConnection } from './connection.ts'

/** The reason that a refused agent gets. */
export const duplicateReason =
  'another machine uses the certificate of this host: enrol this host again'

/** A connection of this process. */
interface OwnConnection {
  connection: Pick<AgentConnection, 'isAlive'>
  instance: string | undefined
  serial: string
}

type Ports = Needs<'audit' | 'clock' | 'hostConnections' | 'log' | 'random' | 'reminders'>

/** Finds and reports agents that use the certificate of a host whose own agent is connected. */
export interface DuplicateAgents {
  /**
   * Returns whether another live agent of the host is connected, to this process (`own`) or to
   * another process. A program that reconnects is not another agent: its earlier connection is
   * dead, even if this process does not know that yet. An agent whose certificate was replaced does
   * not count either.
   */
  isOther(host: Host, facts: AgentFacts, own: OwnConnection | undefined): Promise<boolean>
  /** Records a refused agent. Logs and audits the first one of a host, and then one each hour. */
  report(hostId: string, duplicate: Omit<DuplicateAgent, 'at'>): Promise<void>
}

/**
 * Returns the detection of duplicate agents for one process.
 *
 * @param processId this process
 * @param isAliveAt returns whether the agent of a host that is connected to another process, by its
 *   internal address, is alive
 */
export function duplicateAgents(
  processId: string,
  isAliveAt: (address: string, hostId: string) => Promise<boolean>,
  ports: Ports,
): DuplicateAgents {
  const { hostConnections, clock, log } = ports
  return {
    async isOther(host, { instance }, own) {
      const mayBeOther = (other: string | undefined, serial: string | undefined) =>
        (instance === undefined || other !== instance) &&
        (serial === undefined || isCertificateCurrent(host, serial))
      if (own) return mayBeOther(own.instance, own.serial) && (await own.connection.isAlive())
      const row = await hostConnections.find(host.id)
      if (!row || row.endedAt !== null || row.processId === processId) return false
      return mayBeOther(row.facts.instance, row.serial) && (await isAliveAt(row.address, host.id))
    },
    async report(hostId, { hostname, address }) {
      const at = clock.now()
      await hostConnections.noteDuplicate(hostId, { hostname, address, at })
      if (!ports.reminders.isDue(`duplicate agent ${hostId}`)) return
      log.warn('another machine uses the certificate of a host', {
        host: hostId,
        hostname,
        address,
      })
      await ports.audit.append(rowOf(hostId, { hostname, address, at }, ports))
    },
  }
}

const rowOf = (id: string, { hostname, address, at }: DuplicateAgent, { random }: Ports) =>
  serviceRow({
    id: random.id(),
    at,
    action: 'hosts.agent.duplicate',
    outcome: 'failed',
    subject: { kind: 'hosts', id },
    hosts: [id],
    values: { hostname, address },
  })
