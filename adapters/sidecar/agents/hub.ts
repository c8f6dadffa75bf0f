import type { TLSSocket } from 'node:tls'
import { must } from '../../../functions/compose/must.ts'
import {
  admitAgent,
  isCertificateCurrent,
  type PresentedCertificate,
} from '../../../functions/core/hosts/admit.ts'
import { changeHost } from '../../../functions/core/hosts/enrol.ts'
import { renewalTime } from '../../../functions/core/hosts/renewal.ts'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { plainAddress } from '../../../functions/core/net/source.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import { Semaphore } from '../../../functions/core/semaphore.ts'
import { type AgentConnection, agentConnection } from './connection.ts'
import { duplicateAgents, duplicateReason } from './duplicates.ts'
import { refuse } from './refuse.ts'

/** Milliseconds between checks whether connections may stay. */
const checkEvery = 1_000
/** Milliseconds between heartbeats of this process. */
const heartbeatEvery = 3_000
/** Milliseconds that a heartbeat is valid. */
const heartbeatValidity = 12_000

/**
 * Connections admitted concurrently: after a start all agents connect at once, and the store has
 * other work.
 */
const admissions = 16

/** The agents that are connected to this process. */
export interface AgentHub {
  /** Returns the host's connection if it is to this process. */
  find(hostId: string): AgentConnection | undefined
  /** Takes over a connection with a verified certificate, or destroys it. */
  admit(presented: PresentedCertificate, socket: TLSSocket): Promise<void>
  close(): Promise<void>
}

interface HeldConnection {
  connection: AgentConnection
  /** See `AgentFacts`. */
  instance: string | undefined
  serial: string
  number: number
  /** When to renew the certificate. Milliseconds since the epoch. */
  renewAt: number
}

type Ports = Needs<
  'audit' | 'hosts' | 'hostConnections' | 'authority' | 'clock' | 'log' | 'random' | 'reminders'
>

/** This process of the service. */
interface HubProcess {
  id: string
  /** Its internal address. */
  address: string
  /** Returns whether the agent of a host is alive that is connected to the process at `address`. */
  isAliveAt(address: string, hostId: string): Promise<boolean>
}

/**
 * Returns a hub that keeps the newest connection of each host while its certificate is valid and no
 * other process has a newer one. Refuses an agent while another one with the same certificate is
 * connected and alive. Certificates are renewed without closing connections.
 */
export function agentHub(
  process: HubProcess,
  ports: Ports,
  random: () => number = Math.random,
): AgentHub {
  const { hostConnections, clock, log } = ports
  const held = new Map<string, HeldConnection>()
  const stop = new AbortController()
  const admissionSlots = new Semaphore(admissions)
  const duplicates = duplicateAgents(process.id, process.isAliveAt, ports)

  const admit = (presented: PresentedCertificate, socket: TLSSocket) =>
    admissionSlots.run(async () => {
      if (stop.signal.aborted) socket.destroy()
      else if (!socket.destroyed) await letIn(presented, socket)
    })

  async function letIn(presented: PresentedCertificate, socket: TLSSocket): Promise<void> {
    const admitted = await admitAgent(presented, ports)
    if ('refused' in admitted) {
      log.info('an agent was rejected', { host: presented.hostId, reason: admitted.refused })
      return refuse(socket, admitted.refused)
    }
    const { hostId, serial } = presented
    const connection = agentConnection(hostId, socket)
    const facts = await connection.facts()
    // The host may have been enrolled again or revoked while the agent responded.
    const current = await admitAgent(presented, ports)
    if ('refused' in current) return connection.refuse(current.refused)
    if (await duplicates.isOther(current.host, facts, held.get(hostId))) {
      connection.refuse(duplicateReason)
      const address = plainAddress(socket.remoteAddress ?? '')
      return duplicates.report(hostId, { hostname: facts.hostname, address })
    }
    if (stop.signal.aborted) return connection.close()
    const { id: processId, address } = process
    await beat()
    const made = { hostId, processId, address, facts, serial, connectedAt: clock.now() }
    const number = await hostConnections.claim(made)
    const before = held.get(hostId)
    if (before && before.number > number) return connection.close()
    const expiresAt = current.host.agent?.certificateExpiresAt ?? clock.now()
    const renewAt = renewalTime(expiresAt, random())
    held.set(hostId, { connection, instance: facts.instance, serial, number, renewAt })
    before?.connection.close()
    log.info('an agent connected', { host: hostId, version: facts.version })
    void connection.ended.then(() => ended(hostId, number))
  }

  async function ended(hostId: string, number: number): Promise<void> {
    if (held.get(hostId)?.number === number) held.delete(hostId)
    log.info('an agent’s connection ended', { host: hostId })
    // The end of this process ends all its connections: `close` records that with one heartbeat.
    if (stop.signal.aborted) return
    await hostConnections.end(hostId, number, clock.now()).catch((error) => {
      // The connection counts as ended once the heartbeats stop or the agent reconnects.
      log.warn('the end of a connection could not be stored', { host: hostId, error: `${error}` })
    })
  }

  let lastHeartbeat = 0
  async function beat(): Promise<void> {
    const now = clock.now()
    if (stop.signal.aborted || now - lastHeartbeat < heartbeatEvery / 2) return
    await hostConnections.beat(process.id, now + heartbeatValidity)
    lastHeartbeat = now
  }

  /**
   * Closes connections that are no longer allowed or were replaced in another process, and starts
   * the renewals that are due.
   */
  async function checkConnections(): Promise<void> {
    if (held.size === 0) return
    const [hosts, connections] = await Promise.all([ports.hosts.list(), hostConnections.list()])
    const hostOf = new Map(hosts.map((host) => [host.id, host]))
    const newest = new Map(connections.map(({ hostId, number }) => [hostId, number]))
    for (const [hostId, one] of held) {
      const replaced = (newest.get(hostId) ?? 0) > one.number
      if (replaced || !isCertificateCurrent(hostOf.get(hostId), one.serial)) one.connection.close()
      else if (one.renewAt <= clock.now()) void renew(hostId, one)
    }
  }

  async function renew(hostId: string, one: HeldConnection): Promise<void> {
    one.renewAt = Number.POSITIVE_INFINITY
    try {
      await one.connection.renew(async (request) => {
        const { certificate, serial, expiresAt } = await ports.authority.sign(request, hostId)
        await changeHost(hostId, ports, (host) => ({
          ...host,
          agent: {
            ...must(host.agent, 'agent of the host'),
            nextSerial: serial,
            certificateExpiresAt: expiresAt,
          },
        }))
        one.renewAt = renewalTime(expiresAt, random())
        return certificate
      })
      log.info('the certificate of an agent was renewed', { host: hostId })
    } catch (error) {
      one.renewAt = clock.now() + 60_000
      log.warn('the certificate of an agent could not be renewed', {
        host: hostId,
        error: (error as Error).message,
      })
    }
  }

  const repeat = async (every: number, work: () => Promise<void>) => {
    while (!stop.signal.aborted) {
      await clock.sleep(every, stop.signal)
      if (stop.signal.aborted) return
      await work().catch((error) => {
        log.warn('the upkeep of agent connections failed', { error: (error as Error).message })
      })
    }
  }
  const loops = [
    repeat(checkEvery, checkConnections),
    repeat(heartbeatEvery, async () => (held.size > 0 ? beat() : undefined)),
  ]

  return {
    find: (hostId) => held.get(hostId)?.connection,
    admit,
    async close() {
      stop.abort()
      const open = [...held.values()]
      held.clear()
      for (const { connection } of open) connection.close()
      // Wait for a heartbeat in progress, so that the one below is the last.
      await Promise.all(loops)
      if (open.length > 0)
        await hostConnections
          .beat(process.id, clock.now())
          .catch(ignoreError('note the connected hosts'))
    },
  }
}
