import { lookup as systemLookup } from 'node:dns/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { must } from '../../functions/compose/must.ts'
import {
  dialProblem,
  hostProblem,
  type OutboundRule,
} from '../../functions/core/net/outbound-rules.ts'
import type { Outbound } from '../../functions/core/ports/outbound.ts'

/** An address that a name resolves to. */
export interface Resolved {
  address: string
  family: number
}

/**
 * The outbound policy forbids the connection. The message says what is forbidden and why, and is
 * meant for the user who configured the address.
 */
export class OutboundBlocked extends Error {
  override name = 'OutboundBlocked'
  readonly code = 'OUTBOUND_REFUSED'
}

/**
 * Opens connections under the outbound network policy. A name is resolved once per connection, and
 * only an address that was checked is dialed.
 */
export interface Dialer extends Outbound {
  /** For `node:http` requests. A connection is used once. */
  readonly http: HttpAgent
  readonly https: HttpsAgent
  /**
   * Returns a connected socket. Rejects with `OutboundBlocked`, with the signal's reason, or as
   * `node:net` does.
   */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>
}

/** Returns a dialer that applies the rules. `resolve` returns all addresses of a name. */
export function openOutbound(
  rules: readonly OutboundRule[],
  resolve: (name: string) => Promise<Resolved[]> = (name) => systemLookup(name, { all: true }),
): Dialer {
  const refusal: Outbound['refusal'] = (host, port) => hostProblem(rules, host, port)

  const allowed = async (host: string, port: number): Promise<Resolved[]> => {
    const known = refusal(host, port)
    if (known) throw new OutboundBlocked(known)
    const found = await resolve(host)
    const problems = found.map(({ address }) => dialProblem(rules, host, address, port))
    const good = found.filter((_, at) => problems[at] === undefined)
    if (good.length === 0)
      throw new OutboundBlocked(problems[0] ?? `${host} resolves to no address`)
    return good
  }

  /**
   * Returns the connect options for a host and port. Node does no lookup for a literal address, so
   * it is checked here.
   */
  const guarded = (host: string, port: number): { lookup: LookupFunction } => {
    const problem = isIP(host) ? refusal(host, port) : undefined
    if (problem) throw new OutboundBlocked(problem)
    return {
      lookup: (name, options, done) => {
        allowed(name, port).then(
          (all) => {
            if (options.all) return done(null, all)
            const { address, family } = must(all[0], 'address')
            return done(null, address, family)
          },
          (error) => done(error, [], 0),
        )
      },
    }
  }

  return {
    refusal,
    http: guardAgent(new HttpAgent({ keepAlive: false }), guarded),
    https: guardAgent(new HttpsAgent({ keepAlive: false }), guarded),
    connect: (host, port, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const socket = connect({ host, port, ...guarded(host, port) })
        const stop = () => socket.destroy(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        socket.once('close', () => signal.removeEventListener('abort', stop))
        // Never removed: the connection can be reset before the caller adds a listener.
        socket.on('error', reject)
        socket.once('connect', () => {
          signal.removeEventListener('abort', stop)
          resolve(socket)
        })
      }),
  }
}

type Guarded = (host: string, port: number) => { lookup: LookupFunction }

interface Dialing {
  host?: string | null
  port?: number | string | null
  socketPath?: string
}

/** Returns the same agent. It opens no connection without the guard. */
function guardAgent<A extends HttpAgent>(agent: A, guarded: Guarded): A {
  const make = agent.createConnection.bind(agent) as (...args: unknown[]) => never
  const guardedMake = (options: Dialing, done?: (error: Error) => void) => {
    try {
      if (options.socketPath || !options.host) throw new OutboundBlocked('the host is missing')
      return make({ ...options, ...guarded(options.host, Number(options.port)) }, done)
    } catch (error) {
      if (!done) throw error
      process.nextTick(done, error)
      return undefined
    }
  }
  return Object.assign(agent, { createConnection: guardedMake })
}
