import type { IncomingMessage, RequestOptions } from 'node:http'
import { unreachable } from '../api/unreachable.ts'
import { type CliFailure, failed } from '../failure.ts'
import type { Printer } from '../output/print.ts'
import { isExposed } from '../session/server-url.ts'

/** The server of another product. */
export interface Peer {
  /** Its address, which may have a path. */
  url: string
  /** What signs in. */
  headers: Readonly<Record<string, string>>
  /** Accepts any TLS certificate. */
  skipsTlsCheck: boolean
}

/** Milliseconds without data after which a request ends. */
const timeout = 60_000
/** Bytes. */
const answerMax = 64 * 1024 * 1024

/** A response; `text` is its body. */
export interface PeerAnswer {
  status: number
  text: string
}

/**
 * Reads a path of the server, such as `/api/stacks`. Returns the response, whatever its status.
 * Throws a `CliFailure` if there is none.
 */
export const readPeer = (peer: Peer, path: string): Promise<PeerAnswer> =>
  ask(peer, path, undefined)

/** Like `readPeer`, for servers that read with POST. `body` is sent as JSON. */
export const postPeer = (peer: Peer, path: string, body: object): Promise<PeerAnswer> =>
  ask(peer, path, JSON.stringify(body))

async function ask(peer: Peer, path: string, body: string | undefined): Promise<PeerAnswer> {
  const url = new URL(`${peer.url.replace(/\/+$/, '')}${path}`)
  const secure = url.protocol === 'https:'
  const http = secure ? await import('node:https') : await import('node:http')
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const options: RequestOptions & { rejectUnauthorized?: boolean } = {
    method: body === undefined ? 'GET' : 'POST',
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port || (secure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    headers: { accept: 'application/json', ...type, ...peer.headers },
    timeout,
    ...(secure ? { rejectUnauthorized: !peer.skipsTlsCheck } : {}),
  }
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(peerUnreachable(peer.url, error))
    const call = http.request(options, (message) => void read(message).then(resolve, fail))
    call.on('timeout', () => call.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    call.on('error', fail)
    call.end(body)
  })
}

/** Hints for the service name its flag; another server has a flag of its own. */
function peerUnreachable(url: string, error: unknown): CliFailure {
  const failure = unreachable(url, error)
  const hint = failure.hint?.replace('--insecure', '--skip-tls-check')
  return hint === undefined ? failure : failure.reworded({ hint })
}

async function read(message: IncomingMessage): Promise<PeerAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message) {
    size += (chunk as Buffer).length
    if (size > answerMax) throw new Error('its response is larger than 64 MiB')
    chunks.push(chunk as Buffer)
  }
  return { status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }
}

/**
 * Returns the address of a server, and warns of one over which others can read the key. Throws a
 * `CliFailure` if it is not one of http or https.
 */
export function peerAddress(text: string, print: Pick<Printer, 'note'>): string {
  if (!/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(text) || !isUrl(text))
    throw failed(`${JSON.stringify(text)} is not an address`, {
      hint: 'it begins with http:// or https://, such as https://manager.example.org:9443',
    })
  if (isExposed(text)) print.note('warning: http:// sends the API key unencrypted')
  return text
}

function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text))
  } catch {
    return false
  }
}
