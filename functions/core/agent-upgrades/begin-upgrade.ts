import { conflict } from '../errors.ts'
import { changeHost } from '../hosts/enrol.ts'
import { resolveHost } from '../hosts/resolve-host.ts'
import { noSuchHost } from '../hosts/target.ts'
import type { Needs } from '../ports/ports.ts'
import type { AgentUpgrade, Host } from '../records/host.ts'
import { version } from '../version.ts'
import { wavesOf } from './next-steps.ts'
import { isUpgrading } from './upgrade-agents.ts'

/**
 * Plans the upgrade of the agents that have another version than the service and can be replaced.
 * Returns the ID of the upgrade, and the hosts in the order of their names.
 *
 * @param names ids or names of hosts; undefined: all
 * @throws 404 if there is no such host, 409 if an upgrade is in progress, or if hosts are named and
 *   the agent of none can be upgraded
 */
export async function beginUpgrade(
  names: readonly string[] | undefined,
  ports: Needs<'hosts' | 'hostConnections' | 'random' | 'clock'>,
): Promise<{ id: string; hosts: Host[] }> {
  const [hosts, connections] = await Promise.all([ports.hosts.list(), ports.hostConnections.list()])
  if (hosts.some(isUpgrading)) {
    throw conflict('an upgrade of agents is in progress: cli hosts list shows it')
  }
  const open = connections.filter(({ endedAt }) => endedAt === null)
  const agents = new Map(open.map(({ hostId, facts }) => [hostId, facts]))
  const chosen = names ? names.map((name) => named(name, hosts)) : hosts
  const due = [...new Set(chosen)]
    .filter(({ id }) => {
      const agent = agents.get(id)
      return agent?.replaceable === true && agent.version !== version
    })
    .sort((one, other) => turnOf(one) - turnOf(other) || (one.name < other.name ? -1 : 1))
  if (due.length === 0 && names) throw conflict(nothingToDo)
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
  return { id, hosts: planned }
}

const nothingToDo = `no connected agent of these hosts can be upgraded from here: it has version ${version} already, is older than this way of upgrading, or is upgraded by its package or image. cli hosts enrol --replace installs it again`

function named(name: string, hosts: readonly Host[]): Host {
  const host = hosts.find(({ id }) => id === name) ?? resolveHost(name, hosts)
  if (!host) throw noSuchHost(name)
  return host
}

/** An agent that failed last time comes last: it must not stop the others for ever. */
const turnOf = ({ agent }: Host): number => (agent?.upgrade?.state === 'failed' ? 1 : 0)
