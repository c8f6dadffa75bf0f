import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure } from '../../../functions/core/errors.ts'
import type { RegistryCredentials } from '../../../functions/core/ports/registries.ts'
import { bodyText, type ResponseBudget } from '../responses/body-text.ts'
import { EngineRefusal, ForeignResponse, failureOf, foreign } from '../responses/errors.ts'
import type { EngineCall } from './call.ts'
import { linkedDeadline, onAbort } from './deadline.ts'
import { dialer, type Transport } from './transport.ts'

/**
 * A client of the Engine API over one transport. It only throws a `Failure`, or the reason of the
 * caller's signal.
 */
export interface EngineClient {
  /** The host's current name for messages. */
  readonly host: string
  /** Credentials for registries, if there are any. */
  readonly registries: RegistryCredentials | undefined
  /**
   * Returns the parsed response, or undefined if it has no body. A 304 is a success: nothing had to
   * change.
   */
  json<T = unknown>(call: EngineCall): Promise<T>
  text(call: EngineCall): Promise<string>
  /** Returns the response's body as a stream. Destroying it closes the connection. */
  stream(call: EngineCall): Promise<IncomingMessage>
  /**
   * Returns the call's connection as a duplex. Its errors are handled already, and the call's
   * signal does not end it.
   */
  hijack(call: EngineCall): Promise<Duplex>
  /** Throws within 5 s if the Engine does not respond. For use before a call without a deadline. */
  ping(): Promise<void>
  /**
   * Returns the API version in use, such as `1.41`: the Engine's newest or ours, whichever is
   * lower.
   */
  apiVersion(): Promise<string>
  /** Drops the negotiated version, because the Engine may have been replaced. */
  renegotiate(): void
  close(): void
}

/** The name of a host for messages, or a function that returns the current one. */
export type HostName = string | (() => string)

const newestApi = '1.49'
const deadlineDefault = 5000

/**
 * Returns a client over the transport. It dials nothing before the first call. `usualDeadline` is
 * in milliseconds.
 */
export function engineClient(
  transport: Transport,
  hostName: HostName,
  registries?: RegistryCredentials,
  usualDeadline = deadlineDefault,
): EngineClient {
  const { dial, hijack, close } = dialer(transport)
  const budget: ResponseBudget = { held: 0 }
  let negotiated: Promise<string> | undefined

  async function answer<T>(call: EngineCall, read: (response: IncomingMessage) => Promise<T>) {
    return calling(call, async (signal) => read(await accepted(await dial(call, signal))))
  }

  async function calling<T>(call: EngineCall, ask: (signal: AbortSignal) => Promise<T>) {
    const deadline = linkedDeadline(
      call.deadline === undefined ? usualDeadline : call.deadline,
      call.signal,
      call.goesOn,
    )
    try {
      const attempt = () => ask(deadline.signal)
      return await deadline.race(
        call.method === 'GET' ? retriedOnce(attempt, deadline.signal) : attempt(),
      )
    } catch (error) {
      if (call.signal?.aborted && !(error instanceof EngineRefusal)) throw call.signal.reason
      if (error instanceof Failure) throw error
      throw failureOf(deadline.passed() ?? error, { host: client.host, step: stepOf(call) })
    } finally {
      deadline.end()
    }
  }

  const negotiate = async () => {
    return answer({ method: 'GET', path: '/version' }, async (response) => {
      const { ApiVersion } = membersOf(parsed(await bodyText(response, budget)))
      if (typeof ApiVersion === 'string' && /^\d{1,3}\.\d{1,3}$/.test(ApiVersion)) {
        return older(ApiVersion, newestApi)
      }
      throw new ForeignResponse('the response has no API version')
    })
  }

  const versioned = async (call: EngineCall) => ({
    ...call,
    path: `/v${await client.apiVersion()}${call.path}`,
  })

  const client: EngineClient = {
    get host() {
      return typeof hostName === 'string' ? hostName : hostName()
    },
    registries,
    async json<T>(call: EngineCall) {
      const text = await client.text(call)
      if (text === '' && !call.shape) return undefined as T
      try {
        const value = parsed(text)
        call.shape?.(value, 'the response')
        return value as T
      } catch (cause) {
        throw foreign(cause, { host: client.host, step: stepOf(call) })
      }
    },
    text: async (call) => answer(await versioned(call), (body) => bodyText(body, budget)),
    async stream(call) {
      const response = await answer(await versioned(call), async (head) => head)
      if (call.signal) endWith(call.signal, response)
      return response
    },
    hijack: async (call) => {
      const asked = await versioned(call)
      return calling(asked, async (signal) => connectionOf(await hijack(asked, signal)))
    },
    async ping() {
      await client.text({ method: 'GET', path: '/_ping' })
    },
    apiVersion() {
      negotiated ??= negotiate().catch((error) => {
        negotiated = undefined
        throw error
      })
      return negotiated
    },
    renegotiate() {
      negotiated = undefined
    },
    close,
  }
  return client
}

function endWith(signal: AbortSignal, response: IncomingMessage): void {
  const stop = onAbort(signal, () => response.destroy(signal.reason))
  response.once('close', stop)
}

async function connectionOf(answered: IncomingMessage | Duplex): Promise<Duplex> {
  if ('statusCode' in answered) {
    const response = await accepted(answered)
    response.destroy()
    throw new Error('the connection was not upgraded')
  }
  const socket = answered as Duplex
  // The reader and the writer notice the end of the connection.
  socket.on('error', () => {})
  return socket
}

async function accepted(response: IncomingMessage): Promise<IncomingMessage> {
  const status = response.statusCode ?? 0
  if ((status >= 200 && status < 300) || status === 304) return response
  throw new EngineRefusal(status, refusalWords(await bodyText(response, undefined, refusalMax)))
}

/** Bytes. The longest error response that is read. */
const refusalMax = 64 * 1024

/**
 * Returns the Engine's message in an error response, or an empty text if it has none.
 *
 * @throws ForeignResponse if the response is not from an Engine, such as an HTML page of a proxy
 */
function refusalWords(text: string): string {
  if (text.trim() === '') return ''
  const { message } = membersOf(parsed(text))
  if (typeof message === 'string') return message.trim()
  throw new ForeignResponse('the error response has no message')
}

/**
 * Parses JSON.
 *
 * @throws ForeignResponse with the beginning of the text, for the log
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ForeignResponse(`not JSON: ${text.slice(0, 200)}`, { cause })
  }
}

/** Returns the members of an object; none for another value. */
const membersOf = (value: unknown) => (value ?? {}) as Record<string, unknown>

/** Names a call in messages: method and path without the API version. */
const stepOf = ({ method, path }: EngineCall) =>
  `${method} ${path.replace(/^\/v\d+\.\d+(?=\/)/, '')}`

/** Repeats a read once: the Engine may close an idle connection just as it is reused. */
async function retriedOnce<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    const code = (error as NodeJS.ErrnoException)?.code
    if (signal.aborted || (code !== 'ECONNRESET' && code !== 'EPIPE')) throw error
    return attempt()
  }
}

function older(left: string, right: string): string {
  return atLeast(left, right) ? right : left
}

/** Returns whether an API version is at least `wanted`, by number: `1.9` is older than `1.41`. */
export function atLeast(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
