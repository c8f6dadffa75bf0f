import { conflict } from '../errors.ts'
import { changeHost } from '../hosts/enrol.ts'
import { resolveHost } from '../hosts/resolve-host.ts'
import { noSuchHost } from '../hosts/target.ts'
import type { Needs } from '../ports/ports.ts'
import type { AgentFacts } from '../records/agent-protocol.ts'
import type { AgentUpgrade, Host } from '../records/host.ts'
import { version } from '../version.ts'
import { wavesOf } from './next-steps.ts'
import { isUpgrading } from './upgrade-agents.ts'

/** The upgrade of agents that was asked for. */
export interface PlannedUpgrade {
  id: string
  /** The hosts whose agents are upgraded, in this order. */
  hosts: Host[]
  skipped: SkippedHost[]
}

/** A host whose agent is not upgraded, and why. */
export interface SkippedHost {
  host: Host
  reason: string
}

/**
 * Plans the upgrade of the agents that have another version than the service and can be replaced.
 *
 * @param names ids or names of hosts; undefined: all with an agent of another version
 * @throws 404 if there is no such host, 409 if an upgrade is in progress, or if hosts are named and
 *   the agent of none can be upgraded
 */
export async function beginUpgrade(
  names: readonly string[] | undefined,
  ports: Needs<'hosts' | 'hostConnections' | 'random' | 'clock'>,
): Promise<PlannedUpgrade> {
  const [hosts, connections] = await Promise.all([ports.hosts.list(), ports.hostConnections.list()])
  if (hosts.some(isUpgrading)) {
    throw conflict('an upgrade of agents is in progress: cli hosts list shows it')
  }
  const open = connections.filter(({ endedAt }) => endedAt === null)
  const agents = new Map(open.map(({ hostId, facts }) => [hostId, facts]))
  const chosen = names
    ? [...new Set(names.map((name) => named(name, hosts)))]
    : hosts.filter(({ id, agent }) => agent?.state === 'enrolled' && !isCurrent(agents.get(id)))
  const skipped = chosen.flatMap((host): SkippedHost[] => {
    const reason = whySkipped(host, agents.get(host.id))
    return reason === undefined ? [] : [{ host, reason }]
  })
  const left = new Set(skipped.map(({ host }) => host))
  const due = chosen
    .filter((host) => !left.has(host))
    .sort((one, other) => turnOf(one) - turnOf(other) || (one.name < other.name ? -1 : 1))
  if (due.length === 0 && names) throw nothingToDo(skipped)
  const waves = wavesOf(due.length)
  const id = ports.random.id()
  const at = ports.clock.now()
  const planned: Host[] = []
  for (const [index, host] of due.entries()) {
    const wave = waves[index] ?? 1
    const upgrade: AgentUpgrade = { id, to: version, wave, state: 'waiting', at, error: null }
    planned.push(
      await changeHost(host.id, ports, (before) =>
        before.agent ? { ...before, agent: { ...before.agent, upgrade } } : before,
      ),
    )
  }
  return { id, hosts: planned, skipped }
}

const isCurrent = (agent: AgentFacts | undefined): boolean => agent?.version === version

/** Returns why the agent of a host is not upgraded; undefined if it is. */
function whySkipped(host: Host, agent: AgentFacts | undefined): string | undefined {
  if (!host.agent) return 'it has no agent: it is upgraded with the service'
  if (host.agent.state !== 'enrolled') return 'no agent is enrolled'
  if (!agent) return 'its agent is offline'
  if (isCurrent(agent)) return `its agent has version ${version} already`
  if (agent.replaceable) return undefined
  return agent.replaceable === undefined
    ? 'its agent is too old to be upgraded from here: cli hosts enrol --replace installs it again'
    : 'its agent is of a package or an image, or runs without systemd: upgrade it on its host'
}

/** Hosts that an error names. */
const namedMax = 5

function nothingToDo(skipped: readonly SkippedHost[]) {
  const reasons = skipped.slice(0, namedMax).map(({ host, reason }) => `${host.name}: ${reason}`)
  const more = skipped.length > namedMax ? `; and ${skipped.length - namedMax} more` : ''
  return conflict(`no agent of these hosts can be upgraded: ${reasons.join('; ')}${more}`)
}

function named(name: string, hosts: readonly Host[]): Host {
  const host = hosts.find(({ id }) => id === name) ?? resolveHost(name, hosts)
  if (!host) throw noSuchHost(name)
  return host
}

/** An agent that failed last time comes last: it must not stop the others for ever. */
const turnOf = ({ agent }: Host): number => (agent?.upgrade?.state === 'failed' ? 1 : 0)
