import type { Lease } from '../leases.ts'
import type { Needs } from '../ports.ts'
import { type LookPorts, lookAt } from './look.ts'

export type KeepLookingPorts = LookPorts &
  Needs<'hosts' | 'leases' | 'settings' | 'background' | 'log'>

/** How long a host stays with a process that died, and how long one that has it waits at most until it says so again. */
const held = 20_000
const renewed = 8_000
/** How often hosts of other processes, and new ones, are looked for. Milliseconds. */
const pause = 5_000

/**
 * Looks at every host again and again until the signal ends it: of all processes one looks at a host, and another goes on
 * within half a minute when that one dies. Hosts are looked at apart: none waits for another.
 */
export async function keepLooking(ports: KeepLookingPorts, signal: AbortSignal): Promise<void> {
  const loops = new Map<string, { end: AbortController; done: Promise<void> }>()
  while (!signal.aborted) {
    const hosts = await ports.hosts.list().catch(() => undefined)
    for (const { id } of hosts ?? []) {
      if (loops.has(id)) continue
      const end = new AbortController()
      loops.set(id, { end, done: keepLookingAt(id, ports, AbortSignal.any([signal, end.signal])) })
    }
    for (const [id, loop] of loops) {
      if (!hosts || hosts.some((host) => host.id === id)) continue
      loop.end.abort()
      loops.delete(id)
    }
    await ports.clock.sleep(pause, signal)
  }
  await Promise.all([...loops.values()].map(({ done }) => done))
}

async function keepLookingAt(
  hostId: string,
  ports: KeepLookingPorts,
  signal: AbortSignal,
): Promise<void> {
  const { leases, clock, log, background } = ports
  const holder = `${background.processId}/look`
  let lease: Lease | undefined
  let due = 0
  let isFailing = false
  while (!signal.aborted) {
    try {
      lease = await leases.take(`look:${hostId}`, holder, held)
      if (!lease) due = 0
      else if (clock.now() >= due) due = await look(hostId, lease, due, ports)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('a host could not be looked at', { host: hostId, error })
      isFailing = true
    }
    const rest = lease && !isFailing ? Math.max(0, due - clock.now()) : pause
    await clock.sleep(Math.min(rest, renewed), signal)
  }
  // It ends by itself too.
  if (lease) await leases.release(lease).catch(() => {})
}

/** Looks once. Gives the time of the next look, in step with the ones before. */
async function look(
  hostId: string,
  lease: Lease,
  due: number,
  ports: KeepLookingPorts,
): Promise<number> {
  const seconds = (await ports.settings.get())['metrics.sample_seconds']
  const interval = seconds * 1000
  const begun = ports.clock.now()
  const host = await ports.hosts.find(hostId)
  if (host) await lookAt(host, lease, interval, ports)
  const next = Math.max(due, begun - interval) + interval
  return next > ports.clock.now() ? next : ports.clock.now() + interval
}
