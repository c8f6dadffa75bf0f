import http from 'node:http'
import https from 'node:https'
import type { Dialer } from './outbound.ts'

/** A request to a URL that a user configured. */
export interface OutboundRequest {
  url: URL
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array
  /** Milliseconds for the whole exchange: name lookup, connection, response and its end. */
  timeout: number
  /** Bytes. The rest of a longer response is not read. */
  largest: number
  signal?: AbortSignal
  /** Certificates in PEM that are trusted instead of the usual ones. */
  ca?: string | undefined
}

export interface OutboundAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
  /** True if the body was longer than the limit or ended early. */
  cut: boolean
}

/** The request timed out. */
export class OutboundTimeout extends Error {
  override name = 'OutboundTimeout'
}

/**
 * Sends one request over HTTP or HTTPS. A redirect is returned like any other response. Rejects
 * with `OutboundBlocked`, `OutboundTimeout`, the signal's reason, or as `node:http` does. Once a
 * status has arrived it resolves, even if the body is incomplete.
 */
export async function outboundRequest(
  dialer: Dialer,
  { url, method, headers, body, timeout, largest, signal, ca }: OutboundRequest,
): Promise<OutboundAnswer> {
  const over = new AbortController()
  const late = setTimeout(
    () => over.abort(new OutboundTimeout(`no response within ${timeout / 1000} s`)),
    timeout,
  )
  const ending = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  const isTls = url.protocol === 'https:'
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  try {
    return await new Promise((resolve, reject) => {
      const call = (isTls ? https : http).request(url, {
        method,
        agent: isTls ? dialer.https : dialer.http,
        headers: { ...headers, ...length },
        signal: ending,
        maxHeaderSize: 16 * 1024,
        ...(ca !== undefined && { ca }),
      })
      call.on('error', reject)
      call.once('response', (message) => {
        // From here on the end of the body reports errors.
        call.off('error', reject).on('error', () => {})
        readBody(message, largest).then((read) => {
          resolve({ status: message.statusCode ?? 0, headers: message.headers, ...read })
        }, reject)
      })
      call.end(body)
    })
  } catch (error) {
    if (ending.aborted) throw ending.reason
    throw error
  } finally {
    clearTimeout(late)
  }
}

async function readBody(message: http.IncomingMessage, largest: number) {
  const chunks: Buffer[] = []
  let size = 0
  let cut = false
  try {
    for await (const chunk of message) {
      size += chunk.length
      chunks.push(chunk)
      if (size > largest) break
    }
  } catch {
    cut = true
  }
  return { body: Buffer.concat(chunks).subarray(0, largest), cut: cut || size > largest }
}
