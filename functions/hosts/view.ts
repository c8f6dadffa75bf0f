import type { z } from 'zod'
import { publicMessage } from '../core/errors.ts'
import { callHost } from '../core/hosts/call-host.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AgentUpgrade, HostConnection, Host as HostRecord } from '../core/records/host.ts'
import type { EngineInfo } from '../core/records/host-engine.ts'
import type { ServiceProcess } from '../core/records/installation.ts'
import { version } from '../core/version.ts'
import type { Host } from './schema.ts'
import { unknownContainer } from './unknown-container.ts'

export type HostViewPorts = Needs<
  'engines' | 'hostConnections' | 'clock' | 'hosts' | 'serviceProcesses'
>

/**
 * Returns a host with what its Engine and its agent report. A host that does not respond is
 * offline.
 */
export async function hostView(
  host: HostRecord,
  ports: HostViewPorts,
): Promise<z.input<typeof Host>> {
  const [connection, processes] = await Promise.all([
    host.agent ? ports.hostConnections.find(host.id) : undefined,
    ports.serviceProcesses.list(),
  ])
  return viewOf(host, { connection, processes }, ports)
}

/** Returns the same for many hosts, reading their connections once. */
export async function hostViews(hosts: readonly HostRecord[], ports: HostViewPorts) {
  const [found, processes] = await Promise.all([
    hosts.some(({ agent }) => agent) ? ports.hostConnections.list() : [],
    ports.serviceProcesses.list(),
  ])
  const connections = new Map(found.map((connection) => [connection.hostId, connection]))
  return Promise.all(
    hosts.map((host) => viewOf(host, { connection: connections.get(host.id), processes }, ports)),
  )
}

async function viewOf(
  host: HostRecord,
  {
    connection,
    processes,
  }: { connection: HostConnection | undefined; processes: readonly ServiceProcess[] },
  ports: HostViewPorts,
): Promise<z.input<typeof Host>> {
  const now = ports.clock.now()
  const found = problemOf(host, connection, now) ?? (await infoOf(host, ports))
  const [info, error] = typeof found === 'string' ? [undefined, found] : [found, null]
  const parts = { processes, connection, engineId: info?.id }
  return {
    id: host.id,
    name: host.name,
    kind: host.kind,
    status: statusOf(host, info),
    error,
    warning: duplicateWarning(connection, now) ?? unknownContainer(host, parts) ?? null,
    tags: host.tags,
    address: host.address ?? null,
    engine: info ? engineView(info) : null,
    agent: host.agent && agentView(host.agent, connection, now),
    containers: info ? info.containers : null,
  }
}

/** How long a refused agent counts, in milliseconds. It tries again at least every 30 s. */
const duplicateAge = 2 * 60 * 1000

function duplicateWarning(connection: HostConnection | undefined, now: number): string | null {
  const { duplicate } = connection ?? {}
  if (!duplicate || Math.abs(now - duplicate.at) > duplicateAge) return null
  const { hostname, address } = duplicate
  return `another machine uses the certificate of this host (${hostname}, ${address}): enrol one of them again`
}

/** Returns why a host cannot be reached, as far as the records tell without contacting it. */
function problemOf(
  { agent }: HostRecord,
  connection: HostConnection | undefined,
  now: number,
): string | undefined {
  if (!agent || (agent.state === 'enrolled' && connection?.endedAt === null)) return undefined
  if (agent.state === 'pending') return 'its agent has never connected'
  if (agent.state === 'revoked') return 'it was revoked'
  const over = agent.certificateExpiresAt
  if (over === null || over > now) return 'its agent is offline'
  return `the certificate of its agent expired at ${new Date(over).toISOString()}: enrol it again`
}

const infoOf = (host: HostRecord, ports: HostViewPorts): Promise<EngineInfo | string> =>
  callHost(host.id, ports, (engine) => engine.info()).catch((error) =>
    publicMessage(error, 'it could not be queried'),
  )

function statusOf({ agent }: HostRecord, info: EngineInfo | undefined) {
  if (agent && agent.state !== 'enrolled') return agent.state
  return info ? 'online' : 'offline'
}

function engineView(info: EngineInfo) {
  const { version, apiVersion, os, arch, cpus, memory } = info
  return { version, api_version: apiVersion, os, arch, cpus, memory }
}

const upgradeView = ({ id, state, to, at, error }: AgentUpgrade) => ({
  id,
  state,
  to,
  at: new Date(at).toISOString(),
  error,
})

function agentView(
  agent: NonNullable<HostRecord['agent']>,
  connection: HostConnection | undefined,
  now: number,
) {
  const time = (at: number | null | undefined) =>
    at === null || at === undefined ? null : new Date(at).toISOString()
  return {
    version: connection?.facts.version ?? null,
    is_outdated: connection !== undefined && connection.facts.version !== version,
    upgrade: agent.upgrade ? upgradeView(agent.upgrade) : null,
    certificate_expires_at: time(agent.certificateExpiresAt),
    last_seen_at: connection ? time(connection.endedAt ?? now) : null,
  }
}
