import type { CallerPorts } from '../access/caller.ts'
import { recheck } from '../access/recheck.ts'
import { inScope } from '../access/scope.ts'
import { Failure, unauthenticated } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { EncodedEvent } from '../ports/service-events.ts'
import type { Caller } from '../records/account.ts'
import type { Host } from '../records/host.ts'
import type { BroadcastItem } from '../streams/broadcast.ts'
import type { Encoded } from '../streams/message.ts'

/** The ports for looking up the caller. */
export type ViewerPorts = CallerPorts & Needs<'hosts'>

/** How long a lookup is cached. Milliseconds. */
const cacheTime = 2000

/** A subscriber with their current permissions and hosts. */
export interface Viewer {
  /**
   * Returns an event as the subscriber may see it now, or undefined if they may not.
   *
   * @throws 401 once their credential has ended
   */
  view(event: EncodedEvent): Promise<(BroadcastItem & Encoded) | undefined>
  /** Returns the hosts in the subscriber's scope. */
  hosts(): Promise<Host[]>
}

/** Returns the viewer of a caller. With `host`, only events of that host are visible. */
export function viewerOf(caller: Caller, host: string | undefined, ports: ViewerPorts): Viewer {
  const lookUp = async () => {
    const at = ports.clock.now()
    const now = await recheck(caller, { access: 'signed-in' }, ports)
    if (!now) throw unauthenticated('the credential of this feed has expired')
    const all = (await ports.hosts.list()).filter((one) => inScope(now.scopeTags, one))
    const hosts = host === undefined ? all : all.filter(({ id }) => id === host)
    return { at, now, hosts, ids: new Set(hosts.map(({ id }) => id)) }
  }
  let cached: Awaited<ReturnType<typeof lookUp>> | undefined
  const current = async () => {
    if (cached && ports.clock.now() - cached.at < cacheTime) return cached
    try {
      cached = await lookUp()
    } catch (error) {
      // Keep the cached result. A store that does not respond for long ends the feed elsewhere.
      if (!cached || (error instanceof Failure && error.status === 401)) throw error
    }
    return cached
  }
  return {
    async view(event) {
      const { needs, hosts, userId, isFor, withoutName = event } = event
      const { now, ids } = await current()
      if (!now.permissions.has(needs) || isFor?.(now) === false) return undefined
      if (hosts.some((id) => ids.has(id))) return event
      if (host !== undefined) return undefined
      return now.scopeTags.length === 0 || userId === now.account.id ? withoutName : undefined
    },
    hosts: async () => (await current()).hosts,
  }
}
