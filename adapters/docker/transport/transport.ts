import type { Agent, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import Docker from 'dockerode'
import { keepAliveAgent, withShortInspect } from './agent.ts'
import type { EngineCall } from './call.ts'

/** How to connect to an Engine: a socket file, an address, or an HTTP agent. */
export type Transport =
  | { socketPath: string }
  | { host: string; port: number; tls?: { ca?: Buffer; cert?: Buffer; key?: Buffer } }
  | { agent: Agent }

/** Sends a call and returns the response's headers, whatever its status. */
export interface Dialer {
  dial(call: EngineCall, signal: AbortSignal): Promise<IncomingMessage>
  /** Like `dial`, but returns the connection itself as soon as the Engine hands it over. */
  hijack(call: EngineCall, signal: AbortSignal): Promise<IncomingMessage | Duplex>
  close(): void
}

/** Accepts every status: `client.ts` handles error responses. */
const anyStatus = new Proxy({}, { get: () => true })

/**
 * Returns dockerode's modem over the transport. `close` does not close a given agent: its creator
 * does.
 */
export function dialer(transport: Transport): Dialer {
  const secure = 'tls' in transport && transport.tls !== undefined
  const own = 'agent' in transport ? undefined : keepAliveAgent(secure ? 'https' : 'http')
  const agent = 'agent' in transport ? withShortInspect(transport.agent) : own
  const docker = new Docker({ ...addressOf(transport), agent } as object)

  const request = (call: EngineCall, signal: AbortSignal, more: object) =>
    new Promise<unknown>((resolve, reject) => {
      const query = defined(call.query)
      const options: Record<string, unknown> = {
        path: Object.keys(query).length > 0 ? `${call.path}?` : call.path,
        method: call.method,
        // Both keys are always set: otherwise the modem sends the query as the body.
        options: { _query: query, _body: call.body ?? {} },
        statusCodes: anyStatus,
        isStream: true,
        abortSignal: signal,
        ...more,
      }
      // A copy: the modem adds its own headers to the object.
      if (call.headers) options.headers = { ...call.headers }
      if (call.file) options.file = call.file
      if (call.auth?.pull) options.authconfig = { base64: call.auth.pull }
      if (call.auth?.build) options.registryconfig = { base64: call.auth.build }
      docker.modem.dial(options as never, (error: Error | null, response: unknown) =>
        error ? reject(error) : resolve(response),
      )
    })

  return {
    dial: (call, signal) => request(call, signal, {}) as Promise<IncomingMessage>,
    hijack: (call, signal) =>
      request(call, signal, { hijack: true }) as Promise<IncomingMessage | Duplex>,
    close: () => own?.destroy(),
  }
}

/**
 * Every key is set, even to undefined: the modem fills missing ones from DOCKER_HOST and related
 * variables.
 */
function addressOf(transport: Transport) {
  const none = {
    ca: undefined,
    cert: undefined,
    key: undefined,
    socketPath: undefined,
    timeout: undefined,
  }
  if ('socketPath' in transport) {
    return {
      ...none,
      host: undefined,
      port: undefined,
      protocol: 'http',
      socketPath: transport.socketPath,
    }
  }
  if ('agent' in transport) {
    return { ...none, host: 'engine', port: 80, protocol: 'http', pathPrefix: '/' }
  }
  const { host, port, tls } = transport
  return { ...none, ...tls, host, port, protocol: tls ? 'https' : 'http', pathPrefix: '/' }
}

function defined(query: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}
