import { ignoreError } from '../ignore-error.ts'
import type { Needs } from '../ports/ports.ts'
import type { EncodedEvent } from '../ports/service-events.ts'
import { type Host, isReachable } from '../records/host.ts'
import type { Broadcast } from '../streams/broadcast.ts'
import { followEngine } from './engine.ts'

/** The ports for following the Engines of all hosts. */
export type HostsPorts = Needs<'hosts' | 'engines' | 'clock' | 'log'>

/** Milliseconds between two checks for added and removed hosts. */
const pollInterval = 2000

/**
 * Publishes the events of the Engines of all hosts, including hosts added later. Calls `onStart`
 * once the events of every host that answers are received.
 */
export async function followHosts(
  out: Broadcast<EncodedEvent>,
  ports: HostsPorts,
  signal: AbortSignal,
  onStart: () => void,
): Promise<void> {
  const followed = new Map<string, AbortController>()
  const waiting = new Set<string>()
  let names = new Map<string, string>()
  const nameOf = (hostId: string) => names.get(hostId) ?? null
  let isFirst = true
  const connected = (hostId: string) => {
    waiting.delete(hostId)
    if (waiting.size === 0 && !isFirst) onStart()
  }
  const follow = async ({ id: hostId }: Host) => {
    const stop = new AbortController()
    followed.set(hostId, stop)
    waiting.add(hostId)
    try {
      const engine = await ports.engines.on(hostId)
      const following = { hostId, engine, out, nameOf, onConnect: () => connected(hostId) }
      await followEngine(following, ports, AbortSignal.any([signal, stop.signal]))
    } catch (error) {
      if (!signal.aborted && !stop.signal.aborted) {
        ports.log.warn('the event stream of a host ended', { host: hostId, error })
      }
    } finally {
      followed.delete(hostId)
      connected(hostId)
    }
  }
  while (!signal.aborted) {
    const hosts = await ports.hosts.list().catch(ignoreError('list the hosts'))
    if (hosts) names = new Map(hosts.map(({ id, name }) => [id, name]))
    const reachable = (hosts ?? []).filter(isReachable)
    for (const host of reachable) if (!followed.has(host.id)) void follow(host)
    if (hosts) {
      for (const [id, stop] of followed) if (!reachable.some((host) => host.id === id)) stop.abort()
      isFirst = false
      if (waiting.size === 0) onStart()
    }
    await ports.clock.sleep(pollInterval, signal)
  }
}
