import type {
  Agent as HttpAgent,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http'
import { failed } from '../failure.ts'
import { version } from '../version.ts'
import type { Method } from './endpoints.ts'
import { unreachable } from './unreachable.ts'

/** The address of the service. `server` has neither a trailing slash nor the API's prefix. */
export interface Target {
  server: string
  insecure: boolean
}

/** A path and query below `/api/v1`. */
export interface Resource {
  /** The path with its segments encoded: see `fillPath`. */
  path: string
  /** A list repeats the parameter for each entry. */
  query?: Record<string, string | boolean | readonly string[] | undefined>
}

export interface HttpRequest extends Resource {
  method: Method
  body?: unknown
  token?: string
  /** Milliseconds without data after which the request times out; 0 for no timeout. */
  timeout?: number
  /** Aborts the request, which then fails. */
  signal?: AbortSignal
}

/** A response as received. `text` is the unparsed body: see `accept`. */
export interface Answer<T = unknown> {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** For the compiler only: what the body of a success holds. */
  readonly holds?: T
}

/**
 * Replaces the placeholders of a path with values, which may contain any characters. Throws a
 * `CliFailure` for a value that would change the path, such as `..`.
 */
export function fillPath(path: string, values: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    if (/^\.{0,2}$/.test(value)) throw failed(`${JSON.stringify(value)} is not a name`)
    return encodeURIComponent(value)
  })
}

/** Where the API is, after the address of a server. */
export const apiPrefix = '/api/v1'

/** Returns the path and query of a resource in a URL, after the server's address. */
export const pathAndQuery = (resource: Resource): string => apiPrefix + belowPrefix(resource)

/** Returns the path and query of a resource in a URL, after the address of the API. */
export function belowPrefix({ path, query = {} }: Resource): string {
  const pairs = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return `${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`
}

/**
 * Sends one request and returns its response, whatever the status. Throws a `CliFailure` with a
 * readable reason if there is none.
 */
export async function send(target: Target, request: HttpRequest): Promise<Answer> {
  const url = new URL(target.server)
  const secure = url.protocol === 'https:'
  const http = secure ? await import('node:https') : await import('node:http')
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body))
  const options: RequestOptions & { rejectUnauthorized?: boolean } = {
    method: request.method,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port || (secure ? 443 : 80),
    path: `${url.pathname.replace(/\/$/, '')}${pathAndQuery(request)}`,
    headers: headersOf(request, body),
    agent: agentOf(http, secure),
    timeout: request.timeout ?? 60_000,
    signal: request.signal,
    ...(secure ? { rejectUnauthorized: !target.insecure } : {}),
  }
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(unreachable(target.server, error))
    const call = http.request(options, (message) => void read(message).then(resolve, fail))
    call.on('timeout', () => call.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    call.on('error', fail)
    call.end(body)
  })
}

/** Connections stay open for the whole command, so that polling a deployment needs only one. */
const agents: { plain?: HttpAgent; secure?: HttpAgent } = {}

function agentOf(http: { Agent: new (options: object) => HttpAgent }, secure: boolean): HttpAgent {
  const kind = secure ? 'secure' : 'plain'
  agents[kind] ??= new http.Agent({ keepAlive: true })
  return agents[kind]
}

function headersOf({ token }: HttpRequest, body: Buffer | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': `cli/${version}`,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
  }
}

async function read(message: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: message.statusCode ?? 0, headers: message.headers, text }
}
