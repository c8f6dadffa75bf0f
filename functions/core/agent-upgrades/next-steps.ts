import type { AgentFacts } from '../records/agent-protocol.ts'
import type { AgentUpgrade } from '../records/host.ts'

/** A host whose agent is being upgraded, or waits for that. */
export interface UpgradingHost {
  id: string
  upgrade: AgentUpgrade
  /** What its agent reports; undefined while it is not connected. */
  agent: (Pick<AgentFacts, 'version' | 'replaceable' | 'givenUp'> & Connected) | undefined
  /** Work runs on the host that loses its connection with the agent. */
  isBusy: boolean
  /** For how many milliseconds its upgrade is known to be in this state. */
  passed: number
}

/** The connection of an agent. */
interface Connected {
  /** Counts the connections of a host. */
  connection: number
}

/** What to do with the upgrade of a host. */
export type UpgradeStep =
  | { kind: 'begin'; id: string; connection: number }
  | { kind: 'end'; id: string; state: 'succeeded' | 'failed' | 'skipped'; error: string | null }

/** Milliseconds that an agent has to come back with the new version. */
const returnTime = 5 * 60_000
/** Milliseconds that an agent waits for work on its host. */
const workTime = 3_600_000

/**
 * Returns what to do next. Waves follow each other: one begins when every agent of the wave before
 * came back. The first agent that fails stops all that wait. An agent waits for the work on its
 * host.
 */
export function nextSteps(hosts: readonly UpgradingHost[]): UpgradeStep[] {
  const running = hosts.filter(({ upgrade }) => upgrade.state === 'running')
  const ends = running.flatMap(endOf)
  const waiting = hosts.filter(({ upgrade }) => upgrade.state === 'waiting')
  const hasFailed =
    ends.some(({ state }) => state === 'failed') ||
    hosts.some(({ upgrade }) => upgrade.state === 'failed')
  if (hasFailed) return [...ends, ...waiting.map(({ id }) => skipped(id, 'another agent failed'))]
  if (ends.length < running.length) return ends
  const wave = Math.min(...waiting.map(({ upgrade }) => upgrade.wave))
  const due = waiting.filter(({ upgrade }) => upgrade.wave === wave)
  return [...ends, ...due.flatMap(beginOf)]
}

/** Returns how an upgrade ended; empty while that is not known. */
function endOf({ id, upgrade, agent, passed }: UpgradingHost): (UpgradeStep & End)[] {
  const end = (state: End['state'], error: string | null) => [
    { kind: 'end' as const, id, state, error },
  ]
  // One that is only tried cannot be replaced.
  if (agent?.version === upgrade.to && agent.replaceable) return end('succeeded', null)
  // What a connection from before says is about an earlier upgrade.
  const isNew = agent !== undefined && agent.connection > (upgrade.connection ?? 0)
  if (isNew && agent.givenUp !== undefined) return end('failed', agent.givenUp)
  if (passed <= returnTime) return []
  return end('failed', 'it did not come back with the new version within 5 minutes')
}

type End = Extract<UpgradeStep, { kind: 'end' }>

/** Returns how an upgrade begins at its turn; empty while the host is busy. */
function beginOf({ id, upgrade, agent, isBusy, passed }: UpgradingHost): UpgradeStep[] {
  if (!agent) return [skipped(id, 'its agent is offline')]
  if (agent.version === upgrade.to) return [{ kind: 'end', id, state: 'succeeded', error: null }]
  if (!isBusy) return [{ kind: 'begin', id, connection: agent.connection }]
  if (passed <= workTime) return []
  return [skipped(id, 'deployments, backups or restores ran on its host for an hour')]
}

const skipped = (id: string, error: string): UpgradeStep => ({
  kind: 'end',
  id,
  state: 'skipped',
  error,
})

/** Returns the wave of each of so many agents: one, then a tenth, then all others. */
export function wavesOf(count: number): number[] {
  const tenth = Math.ceil((count - 1) / 10)
  return Array.from({ length: count }, (_, index) => (index === 0 ? 1 : index <= tenth ? 2 : 3))
}
