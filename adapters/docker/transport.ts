import type { Agent, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import Docker from 'dockerode'
import { keepAliveAgent, quiet } from './agent.ts'
import type { EngineCall } from './client.ts'

/** The way to an Engine: a socket file, an address, or an agent whose connections lead to it. */
export type Transport =
  | { socketPath: string }
  | { host: string; port: number; tls?: { ca?: Buffer; cert?: Buffer; key?: Buffer } }
  | { agent: Agent }

/** Sends one call and gives the answer's head, whatever its status. */
export interface Dialer {
  dial(call: EngineCall, signal: AbortSignal): Promise<IncomingMessage>
  /** The same, asking for the connection itself: given as soon as the Engine hands it over. */
  hijack(call: EngineCall, signal: AbortSignal): Promise<IncomingMessage | Duplex>
  close(): void
}

/** Every status is handed on: `client.ts` tells refusals from answers. */
const anyStatus = new Proxy({}, { get: () => true })

/** dockerode's modem over the transport. An agent that was given stays open at `close`: it belongs to its maker. */
export function dialer(transport: Transport): Dialer {
  const secure = 'tls' in transport && transport.tls !== undefined
  const own = 'agent' in transport ? undefined : keepAliveAgent(secure ? 'https' : 'http')
  const agent = 'agent' in transport ? quiet(transport.agent) : own
  const docker = new Docker({ ...addressOf(transport), agent } as object)

  const request = (call: EngineCall, signal: AbortSignal, more: object) =>
    new Promise<unknown>((resolve, reject) => {
      const query = defined(call.query)
      const options: Record<string, unknown> = {
        path: Object.keys(query).length > 0 ? `${call.path}?` : call.path,
        method: call.method,
        // Both keys are always there: the modem would else send the query as the body.
        options: { _query: query, _body: call.body ?? {} },
        statusCodes: anyStatus,
        isStream: true,
        abortSignal: signal,
        ...more,
      }
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

/** Every key is named, also with nothing: the modem fills what is absent from DOCKER_HOST and its companions. */
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
