import type {
  Agent as HttpAgent,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http'
import { failed } from './failure.ts'
import { unreachable } from './trouble.ts'
import { version } from './version.ts'

/** The address of the service. `server` has neither a trailing slash nor the API's prefix. */
export interface Target {
  server: string
  insecure: boolean
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`, with its segments encoded: see `path`. */
  path: string
  query?: Record<string, string | undefined>
  body?: unknown
  token?: string
  /** Milliseconds without data after which the request times out; 0 for no timeout. */
  patience?: number
}

/** A response as received. `text` is the unparsed body. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/**
 * Builds a path from names, which may contain any characters. Throws a `CliFailure` for a name that
 * would change the path, such as `..`.
 */
export function path(texts: TemplateStringsArray, ...names: string[]): string {
  const parts = names.map((name) => {
    if (/^\.{0,2}$/.test(name)) throw failed(`${JSON.stringify(name)} is not a name`)
    return encodeURIComponent(name)
  })
  return String.raw({ raw: texts }, ...parts)
}

/**
 * Sends one request and returns its response, whatever the status. Throws a `CliFailure` with a
 * readable reason if there is none.
 */
export async function send(target: Target, request: ApiRequest): Promise<Answer> {
  const url = new URL(target.server)
  const secure = url.protocol === 'https:'
  const http = secure ? await import('node:https') : await import('node:http')
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body))
  const options: RequestOptions & { rejectUnauthorized?: boolean } = {
    method: request.method,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port || (secure ? 443 : 80),
    path: `${url.pathname.replace(/\/$/, '')}/api/v1${request.path}${queryOf(request.query)}`,
    headers: headersOf(request, body),
    agent: agentOf(http, secure),
    timeout: request.patience ?? 60_000,
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

function headersOf({ token }: ApiRequest, body: Buffer | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': `cli/${version}`,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
  }
}

function queryOf(query: ApiRequest['query'] = {}): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

async function read(message: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: message.statusCode ?? 0, headers: message.headers, text }
}
