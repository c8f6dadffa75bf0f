import type { Caller } from '../access/account.ts'
import type { CallerPorts } from '../access/caller.ts'
import { recheck } from '../access/recheck.ts'
import { inScope } from '../access/scope.ts'
import { Failure, unauthenticated } from '../errors.ts'
import type { Host } from '../hosts/ports.ts'
import type { Needs } from '../ports.ts'
import type { EventPiece } from './happening.ts'

/** What looking up who follows takes. */
export type ViewerPorts = CallerPorts & Needs<'hosts'>

/** For how long an answer counts. Milliseconds. */
const age = 2000

/** Who follows events, as he is at each of them. */
export interface Viewer {
  /** Whether he may know of it now. Throws a `Failure` 401 once his credential is over. */
  mayKnow(piece: EventPiece): Promise<boolean>
  /** The hosts that he reaches. */
  hosts(): Promise<Host[]>
}

/** The viewer that a caller is; `host` limits him to the events of one. */
export function viewerOf(caller: Caller, host: string | undefined, ports: ViewerPorts): Viewer {
  const look = async () => {
    const at = ports.clock.now()
    const now = await recheck(caller, { access: 'signed-in' }, ports)
    if (!now) throw unauthenticated('the credential of this feed is over')
    const all = (await ports.hosts.list()).filter((one) => inScope(now.scopeTags, one))
    const hosts = host === undefined ? all : all.filter(({ id }) => id === host)
    return { at, now, hosts, ids: new Set(hosts.map(({ id }) => id)) }
  }
  let seen: Awaited<ReturnType<typeof look>> | undefined
  const current = async () => {
    if (seen && ports.clock.now() - seen.at < age) return seen
    try {
      seen = await look()
    } catch (error) {
      // A store that does not answer for long ends the feed elsewhere.
      if (!seen || (error instanceof Failure && error.status === 401)) throw error
    }
    return seen
  }
  return {
    async mayKnow({ needs, hosts, userId }) {
      const { now, ids } = await current()
      if (!now.permissions.has(needs)) return false
      if (hosts.some((id) => ids.has(id))) return true
      if (host !== undefined) return false
      return now.scopeTags.length === 0 || userId === now.account.id
    },
    hosts: async () => (await current()).hosts,
  }
}
