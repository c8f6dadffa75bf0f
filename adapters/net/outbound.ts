import { lookup as systemLookup } from 'node:dns/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import {
  dialProblem,
  hostProblem,
  type OutboundRule,
} from '../../functions/core/net/outbound-rules.ts'
import type { Outbound } from '../../functions/core/net/ports.ts'

/** An address that a name leads to. */
export interface Resolved {
  address: string
  family: number
}

/** It may not be dialed. The message says what and why, and is for the one who named it. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused'
  readonly code = 'OUTBOUND_REFUSED'
}

/** The way out: a name is asked for once, and what is dialed is one of the addresses that were looked at. */
export interface Dialer extends Outbound {
  /** For `node:http` requests. They follow no redirect, and connections are used once. */
  readonly http: HttpAgent
  readonly https: HttpsAgent
  /** A connected socket. Rejects with `OutboundRefused`, with the reason of the signal, or as `node:net` does. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket>
}

/** The way out as the rules have it. `resolve` gives all addresses of a name. */
export function openOutbound(
  rules: readonly OutboundRule[],
  resolve: (name: string) => Promise<Resolved[]> = (name) => systemLookup(name, { all: true }),
): Dialer {
  const refusal: Outbound['refusal'] = (host, port) => hostProblem(rules, host, port)

  const allowed = async (host: string, port: number): Promise<Resolved[]> => {
    const known = refusal(host, port)
    if (known) throw new OutboundRefused(known)
    const found = await resolve(host)
    const problems = found.map(({ address }) => dialProblem(rules, host, address, port))
    const good = found.filter((_, at) => problems[at] === undefined)
    if (good.length === 0) throw new OutboundRefused(problems[0] ?? `${host} leads to no address`)
    return good
  }

  /** What a connection to this host and port takes. Addresses are not looked up by Node, so they are looked at here. */
  const guarded = (host: string, port: number): { lookup: LookupFunction } => {
    const problem = isIP(host) ? refusal(host, port) : undefined
    if (problem) throw new OutboundRefused(problem)
    return {
      lookup: (name, options, done) => {
        allowed(name, port).then(
          (all) => (options.all ? done(null, all) : done(null, all[0]!.address, all[0]!.family)),
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
        // Kept for good: the connection can be reset before the caller listens to it.
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

/** The same agent, which makes no connection past the guard. */
function guardAgent<A extends HttpAgent>(agent: A, guarded: Guarded): A {
  const make = agent.createConnection.bind(agent) as (...args: unknown[]) => never
  const guardedMake = (options: Dialing, done?: (error: Error) => void) => {
    try {
      if (options.socketPath || !options.host) throw new OutboundRefused('no host is named')
      return make({ ...options, ...guarded(options.host, Number(options.port)) }, done)
    } catch (error) {
      if (!done) throw error
      process.nextTick(done, error)
      return undefined
    }
  }
  return Object.assign(agent, { createConnection: guardedMake })
}
