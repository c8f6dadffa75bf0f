import { serviceRow } from '../audit/row.ts'
import { internalError, publicMessage } from '../errors.ts'
import { changeHost } from '../hosts/enrol.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Needs } from '../ports/ports.ts'
import type { AgentUpgrade, Host, HostConnection } from '../records/host.ts'
import { nextSteps, type UpgradeStep, type UpgradingHost } from './next-steps.ts'

export type AgentUpgradePorts = Needs<
  | 'hosts'
  | 'hostConnections'
  | 'agentPrograms'
  | 'pages'
  | 'leases'
  | 'background'
  | 'audit'
  | 'random'
  | 'clock'
  | 'log'
>

/**
 * Goes on with the upgrade of agents. What is in progress is in the records of the hosts, so that
 * any process can go on; only one does at a time. Never rejects: failures are logged and retried.
 */
export async function upgradeAgents(ports: AgentUpgradePorts, signal: AbortSignal): Promise<void> {
  try {
    if (!(await ports.hosts.list()).some(isUpgrading)) return
    const holder = `${ports.background.processId}/agent-upgrades`
    const lease = await ports.leases.acquire('agent-upgrades', holder, leaseTime)
    if (!lease) return
    await withLeaseRenewal(lease, signal, ports, (held) => takeSteps(held.signal, ports))
  } catch (error) {
    if (!signal.aborted) ports.log.warn('agents could not be upgraded', { error })
  }
}

/** Returns whether an upgrade of the agent of a host has not ended. */
export const isUpgrading = ({ agent }: Pick<Host, 'agent'>): boolean =>
  agent?.upgrade?.state === 'waiting' || agent?.upgrade?.state === 'begun'

async function takeSteps(signal: AbortSignal, ports: AgentUpgradePorts): Promise<void> {
  const [hosts, connections] = await Promise.all([ports.hosts.list(), ports.hostConnections.list()])
  const open = hosts.filter(isUpgrading)
  const rollout = open[0]?.agent?.upgrade?.id
  const byHost = new Map(connections.map((connection) => [connection.hostId, connection]))
  const rows = hosts.flatMap((host) => upgradingHost(host, byHost.get(host.id), rollout))
  for (const step of nextSteps(rows, ports.clock.now())) {
    if (signal.aborted) return
    if (step.kind === 'end') await end(step, ports)
    else await begin(step.id, ports)
  }
}

function upgradingHost(
  { id, agent }: Host,
  connection: HostConnection | undefined,
  rollout: string | undefined,
): UpgradingHost[] {
  const { upgrade } = agent ?? {}
  if (!upgrade || upgrade.id !== rollout) return []
  const isConnected = agent?.state === 'enrolled' && connection?.endedAt === null
  return [{ id, upgrade, agent: isConnected ? connection.facts : undefined }]
}

/** Records that an upgrade begins, and then sends the program. */
async function begin(hostId: string, ports: AgentUpgradePorts): Promise<void> {
  await change(hostId, { state: 'begun', at: ports.clock.now() }, ports)
  try {
    const page = await ports.pages.find('agent.mjs')
    if (!page) throw internalError('this installation has no program for agents')
    await ports.agentPrograms.replace(hostId, page.text)
  } catch (error) {
    const text = publicMessage(error, 'its agent could not be reached')
    await end({ kind: 'end', id: hostId, state: 'failed', error: text }, ports)
  }
}

async function end(
  { id, state, error }: Extract<UpgradeStep, { kind: 'end' }>,
  ports: AgentUpgradePorts,
): Promise<void> {
  const { clock, random, audit } = ports
  const host = await change(id, { state, error, at: clock.now() }, ports)
  const { to = '' } = host.agent?.upgrade ?? {}
  await audit.append(
    serviceRow({
      id: random.id(),
      at: clock.now(),
      action: 'hosts.agent.upgrade',
      outcome: state === 'done' ? 'succeeded' : 'failed',
      subject: { kind: 'hosts', id },
      hosts: [id],
      values: { version: to, state, ...(error !== null && { error }) },
    }),
  )
}

const change = (hostId: string, fields: Partial<AgentUpgrade>, ports: Needs<'hosts'>) =>
  changeHost(hostId, ports, (host) => {
    const { agent } = host
    if (!agent?.upgrade) return host
    return { ...host, agent: { ...agent, upgrade: { ...agent.upgrade, ...fields } } }
  })
