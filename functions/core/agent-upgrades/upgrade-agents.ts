import { serviceRow } from '../audit/row.ts'
import { internalError, publicMessage } from '../errors.ts'
import { changeHost } from '../hosts/enrol.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Needs } from '../ports/ports.ts'
import type { AgentUpgrade, Host, HostConnection } from '../records/host.ts'
import { type RunningWorkPorts, runningWork } from '../upgrade/running-work.ts'
import { version } from '../version.ts'
import { nextSteps, type UpgradeStep, type UpgradingHost } from './next-steps.ts'

export type AgentUpgradePorts = RunningWorkPorts &
  Needs<
    | 'hostConnections'
    | 'agentPrograms'
    | 'pages'
    | 'background'
    | 'audit'
    | 'random'
    | 'reminders'
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
  agent?.upgrade?.state === 'waiting' || agent?.upgrade?.state === 'running'

async function takeSteps(signal: AbortSignal, ports: AgentUpgradePorts): Promise<void> {
  const [hosts, connections] = await Promise.all([ports.hosts.list(), ports.hostConnections.list()])
  const open = hosts.filter(isUpgrading)
  const rollout = open[0]?.agent?.upgrade?.id
  const byHost = new Map(connections.map((connection) => [connection.hostId, connection]))
  const busy = await busyHosts(ports)
  const rows = hosts.flatMap((host): UpgradingHost[] => {
    const { id, agent } = host
    const { upgrade } = agent ?? {}
    if (!upgrade || upgrade.id !== rollout) return []
    const connected = connectedAgent(host, byHost.get(id))
    // Not from `at`: a clock that jumps must fail no agent.
    const passed = ports.reminders.lasted(`agent upgrade ${rollout} ${id} ${upgrade.state}`)
    return [{ id, upgrade, agent: connected, isBusy: busy.has(id), passed }]
  })
  for (const step of nextSteps(rows)) {
    if (signal.aborted) return
    if (step.kind === 'end') await end(step, rollout, ports)
    else await begin(step, rollout, ports)
  }
}

const busyHosts = async (ports: RunningWorkPorts): Promise<Set<string>> =>
  new Set((await runningWork(ports)).map(({ hostId }) => hostId))

function connectedAgent(
  { agent }: Host,
  connection: HostConnection | undefined,
): UpgradingHost['agent'] {
  const isConnected = agent?.state === 'enrolled' && connection?.endedAt === null
  return isConnected ? { ...connection.facts, connection: connection.number } : undefined
}

/** Records that an upgrade begins, and then sends the program of this version. */
async function begin(
  { id, connection }: Extract<UpgradeStep, { kind: 'begin' }>,
  rollout: string | undefined,
  ports: AgentUpgradePorts,
): Promise<void> {
  // Work may have begun while other agents got their programs.
  if ((await busyHosts(ports)).has(id)) return
  const running = { state: 'running', to: version, at: ports.clock.now(), connection } as const
  if (!(await change(id, rollout, running, ports))) return
  try {
    const page = await ports.pages.find('agent.mjs')
    if (!page) throw internalError('this installation has no program for agents')
    await ports.agentPrograms.replace(id, page.text)
  } catch (error) {
    const text = publicMessage(error, 'its agent could not be reached')
    await end({ kind: 'end', id, state: 'failed', error: text }, rollout, ports)
  }
}

async function end(
  { id, state, error }: Extract<UpgradeStep, { kind: 'end' }>,
  rollout: string | undefined,
  ports: AgentUpgradePorts,
): Promise<void> {
  const { clock, random, audit } = ports
  const ended = await change(id, rollout, { state, error, at: clock.now() }, ports)
  if (!ended) return
  await audit.append(
    serviceRow({
      id: random.id(),
      at: clock.now(),
      action: 'hosts.agent.upgrade',
      outcome: state === 'succeeded' ? 'succeeded' : 'failed',
      subject: { kind: 'hosts', id },
      hosts: [id],
      values: { version: ended.to, state, ...(error !== null && { error }) },
    }),
  )
}

/**
 * Changes an upgrade that has not ended. Returns it as it was; undefined if another process has
 * ended it, or it is of another request.
 */
async function change(
  hostId: string,
  rollout: string | undefined,
  fields: Partial<AgentUpgrade>,
  ports: Needs<'hosts'>,
): Promise<AgentUpgrade | undefined> {
  let before: AgentUpgrade | undefined
  await changeHost(hostId, ports, (host) => {
    const { agent } = host
    before = isUpgrading(host) && agent?.upgrade?.id === rollout ? agent?.upgrade : undefined
    if (!agent || !before) return host
    return { ...host, agent: { ...agent, upgrade: { ...before, ...fields } } }
  })
  return before
}
