import { cacheFor } from '../cache-for.ts'
import { ignoreError } from '../ignore-error.ts'
import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { Host } from '../records/host.ts'
import { Semaphore } from '../semaphore.ts'
import {
  type EvaluationPorts,
  evaluateHost,
  type PreviousSample,
  type SampleOptions,
} from './evaluate-host.ts'

/** The ports for the loop of one host. */
type HostPorts = EvaluationPorts & Needs<'leases' | 'background' | 'log'>

export type MonitorPorts = HostPorts & Needs<'hostConnections'>

/** The state that the loops of all hosts share. */
interface SharedState {
  /** Returns the host as it was last listed. */
  host(id: string): Host | undefined
  isAway(host: Host): Promise<boolean>
  /** Returns the milliseconds between two samples of a host. */
  interval(): Promise<number>
  limited: NonNullable<SampleOptions['limited']>
}

/** Duration of a host's lease, and the longest time between two renewals. Milliseconds. */
const leaseTime = 20_000
const renewInterval = 8_000
/** Milliseconds between two checks for new hosts and for hosts of other processes. */
const pollInterval = 5_000
/** How long the shared lists of rules, stacks, jobs and settings are cached. Milliseconds. */
const cacheTime = 2_000
/** Hosts that may use the store at the same time. */
const slotsMax = 16
/** Milliseconds between the first samples of two hosts. */
const startDelay = 20

/**
 * Samples every host repeatedly until the signal aborts. Each host is sampled by one process. If
 * that process dies, another one takes over within half a minute. Hosts do not wait for each other.
 */
export async function monitorHosts(ports: MonitorPorts, signal: AbortSignal): Promise<void> {
  const loops = new Map<string, { end: AbortController; done: Promise<void> }>()
  let listed = new Map<string, Host>()
  const state = sharedState(ports, (id) => listed.get(id))
  const own = withSharedLists(ports)
  while (!signal.aborted) {
    const hosts = await ports.hosts.list().catch(ignoreError('list the hosts'))
    if (hosts) listed = new Map(hosts.map((host) => [host.id, host]))
    let first = 0
    for (const { id } of hosts ?? []) {
      if (loops.has(id)) continue
      const end = new AbortController()
      const over = AbortSignal.any([signal, end.signal])
      // Staggered, because loops that start together would stay in step.
      const delay = first
      first += startDelay
      const begin = async () => {
        if (delay > 0) await ports.clock.sleep(delay, over)
        await monitorHost(id, state, own, over)
      }
      const done = markHandled(begin())
      loops.set(id, { end, done })
    }
    for (const [id, loop] of loops) {
      if (!hosts || hosts.some((host) => host.id === id)) continue
      loop.end.abort()
      loops.delete(id)
    }
    await ports.clock.sleep(pollInterval, signal)
  }
  await Promise.all([...loops.values()].map(({ done }) => done))
}

function sharedState(ports: MonitorPorts, host: SharedState['host']): SharedState {
  const slots = new Semaphore(slotsMax)
  const connected = cached(async () => {
    const connections = await ports.hostConnections.list()
    return new Set(connections.flatMap((one) => (one.endedAt === null ? [one.hostId] : [])))
  }, ports)
  return {
    host,
    isAway: async ({ id, agent }) => agent !== null && !(await connected()).has(id),
    interval: cached(async () => {
      const settings = await ports.settings.get()
      return settings['metrics.sample_seconds'] * 1000
    }, ports),
    limited: (work) => slots.run(work),
  }
}

const cached = <T>(read: () => Promise<T>, { clock }: Needs<'clock'>) =>
  cacheFor(read, cacheTime, () => clock.now()).get

/** Returns ports that read the shared lists once for all hosts. */
const withSharedLists = (ports: MonitorPorts): HostPorts => ({
  ...ports,
  settings: { get: cached(() => ports.settings.get(), ports) },
  alertRules: { list: cached(() => ports.alertRules.list(), ports) },
  stacks: { list: cached(() => ports.stacks.list(), ports) },
  backupJobs: { list: cached(() => ports.backupJobs.list(), ports) },
  imageLooks: { list: cached(() => ports.imageLooks.list(), ports) },
  sources: { list: cached(() => ports.sources.list(), ports) },
  stackJobs: { list: cached(() => ports.stackJobs.list(), ports) },
  updatePolicies: { list: cached(() => ports.updatePolicies.list(), ports) },
  registries: { list: cached(() => ports.registries.list(), ports) },
})

async function monitorHost(
  hostId: string,
  state: SharedState,
  ports: HostPorts,
  signal: AbortSignal,
): Promise<void> {
  const { leases, clock, log, background } = ports
  const holder = `${background.processId}/look`
  let lease: Lease | undefined
  let due = 0
  let dueWithin = 0
  let previous: PreviousSample | undefined
  let isFailing = false
  while (!signal.aborted) {
    try {
      lease = await state.limited(() => leases.acquire(`look:${hostId}`, holder, leaseTime))
      if (!lease) due = 0
      // A clock that was set back must not delay the next sample until it has caught up.
      else if (clock.now() >= due || due - clock.now() > dueWithin) {
        const interval = await state.interval()
        dueWithin = interval
        const sampledAt = clock.now()
        const host = state.host(hostId)
        const known = previous
        // The state is unknown after a sample that fails.
        previous = undefined
        if (host) {
          const isAway = await state.isAway(host)
          const options = { previous: known, isAway, limited: state.limited }
          previous = await evaluateHost(host, lease, interval, ports, options)
        }
        due = nextSampleAt(due, sampledAt, interval, clock.now())
      }
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('a host could not be sampled', { host: hostId, error })
      isFailing = true
    }
    const rest = lease && !isFailing ? Math.max(0, due - clock.now()) : pollInterval
    await clock.sleep(Math.min(rest, renewInterval), signal)
  }
  // Best effort: the lease also expires.
  const last = lease
  if (last) await state.limited(() => leases.release(last)).catch(ignoreError('release a lease'))
}

/** Returns the time of the next sample, in step with the previous ones. */
function nextSampleAt(due: number, sampledAt: number, interval: number, now: number): number {
  const next = Math.max(due, sampledAt - interval) + interval
  return next > now && next <= now + interval ? next : now + interval
}
