import { lookup as systemLookup } from 'node:dns/promises'
import type { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { must } from '../../functions/compose/must.ts'
import { ignoreError } from '../../functions/core/ignore-error.ts'
import {
  type OutboundProxies,
  proxyFor,
  withoutProxies,
} from '../../functions/core/net/outbound-proxies.ts'
import {
  dialProblem,
  hostProblem,
  type OutboundRule,
} from '../../functions/core/net/outbound-rules.ts'
import type { Outbound } from '../../functions/core/ports/outbound.ts'
import { forwardingAgent, openThroughProxy } from './through-proxy.ts'

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
  /**
   * Returns a connected socket for TLS that another program speaks. It uses the proxies, as HTTPS
   * requests do. Rejects like `connect`, or with `ProxyFailed`.
   */
  tunnel(host: string, port: number, signal: AbortSignal): Promise<Socket>
}

/**
 * Returns a dialer that applies the rules. `resolve` returns all addresses of a name. HTTP and
 * HTTPS requests use the proxies, and so does `tunnel`; sockets of `connect` do not.
 */
export function openOutbound(
  rules: readonly OutboundRule[],
  resolve: (name: string) => Promise<Resolved[]> = (name) => systemLookup(name, { all: true }),
  proxies: OutboundProxies = withoutProxies,
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

  /**
   * Rejects a destination behind a proxy that the policy forbids. The proxy resolves the name once
   * more, so this refuses what this machine can know, and the proxy's own rules decide the rest.
   */
  const judge = async (host: string, port: number) => {
    const known = refusal(host, port)
    if (known) throw new OutboundBlocked(known)
    for (const { address } of isIP(host) ? [] : await knownHere(() => resolve(host))) {
      const problem = dialProblem(rules, host, address, port)
      if (problem) throw new OutboundBlocked(problem)
    }
  }

  const opening = (isTls: boolean): Opening => ({
    guarded,
    proxied: (host, port) => {
      const proxy = proxyFor(proxies, { isTls, host, port })
      return proxy && judge(host, port).then(() => openThroughProxy(proxy, { isTls, host, port }))
    },
  })

  const dial: Dialer['connect'] = (host, port, signal) =>
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
    })

  return {
    refusal,
    http: guardAgent(forwardingAgent(proxies), opening(false)),
    https: guardAgent(new HttpsAgent({ keepAlive: false }), opening(true)),
    connect: dial,
    async tunnel(host, port, signal) {
      const socket = await (opening(true).proxied(host, port) ?? dial(host, port, signal))
      if (!signal.aborted) return socket
      socket.destroy()
      throw signal.reason
    },
  }
}

/** Milliseconds. Behind a proxy, a machine often has no resolver for names outside. */
const lookupTimeout = 2000

/** Returns the addresses that are found in time, or none. */
async function knownHere(lookUp: () => Promise<Resolved[]>): Promise<Resolved[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), lookupTimeout)
  })
  const found = lookUp().catch(ignoreError('resolve a name that only a proxy may know'))
  return (await Promise.race([found, late]).finally(() => clearTimeout(timer))) ?? []
}

interface Opening {
  /** Returns the options for a direct connection. */
  guarded(host: string, port: number): { lookup: LookupFunction }
  /** Returns a connection through a proxy, or undefined if the destination has none. */
  proxied(host: string, port: number): Promise<Socket> | undefined
}

interface Dialing {
  host?: string | null
  port?: number | string | null
  socketPath?: string
}

type Done = (error: Error | null, socket?: Socket) => void

/** Returns the same agent. It opens no connection without the guard. */
function guardAgent<A extends HttpAgent>(agent: A, { guarded, proxied }: Opening): A {
  const make = agent.createConnection.bind(agent) as (...args: unknown[]) => never
  const guardedMake = (options: Dialing, done?: Done) => {
    try {
      if (options.socketPath || !options.host) throw new OutboundBlocked('the host is missing')
      const [host, port] = [options.host, Number(options.port)]
      const through = proxied(host, port)
      if (!through) return make({ ...options, ...guarded(host, port) }, done)
      through.then(
        (socket) =>
          done?.(null, agent instanceof HttpsAgent ? make({ ...options, socket }) : socket),
        (error) => done?.(error),
      )
      return undefined
    } catch (error) {
      if (!done) throw error
      process.nextTick(done, error)
      return undefined
    }
  }
  return Object.assign(agent, { createConnection: guardedMake })
}
