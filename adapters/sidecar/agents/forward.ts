import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { internalError } from '../../../functions/core/errors.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { HttpEvent, HttpResponse } from '../../../functions/kit/event.ts'
import { type PeerSecrets, peerOptions } from './internal.ts'
import { forwardPath } from './serve-forwarded.ts'

/**
 * Passes a request on to the service, which checks it again and carries it out. Returns undefined
 * if the service did not take it, so that nothing was done.
 *
 * @throws Failure 500 if the connection is lost later: whether it was done is not known
 */
export type Forward = (event: HttpEvent, signal: AbortSignal) => Promise<HttpResponse | undefined>

/** Milliseconds until the service takes a request. It takes large ones in turn. */
const takeTime = 10_000

/** Returns what passes requests on to the service at `address`, `host:port`. */
export function forwardTo(
  address: string,
  secretsOf: () => Promise<PeerSecrets>,
  log: Log,
): Forward {
  const notTaken = (problem: string) => {
    log.warn('the service did not take a request', { address, problem })
    return undefined
  }
  return async (event, signal) => {
    let secrets: PeerSecrets
    try {
      secrets = await secretsOf()
    } catch (error) {
      return notTaken((error as Error).message)
    }
    const sent = await send(JSON.stringify(event), signal, peerOptions(address, secrets))
    return 'problem' in sent ? notTaken(sent.problem) : JSON.parse(sent.body)
  }
}

/** A response, or why the service did not take the request. */
type Sent = { body: string } | { problem: string }

/** Sends the body only after the service has agreed to take it. */
function send(body: string, signal: AbortSignal, peer: ReturnType<typeof peerOptions>) {
  return new Promise<Sent>((resolve, reject) => {
    let isSent = false
    const length = Buffer.byteLength(body)
    const headers = { ...peer.headers, 'content-length': length, expect: '100-continue' }
    const call = request({ ...peer, method: 'POST', path: forwardPath, headers, signal })
    const timer = setTimeout(() => call.destroy(new Error('not taken in time')), takeTime)
    const fail = (error: Error) => {
      clearTimeout(timer)
      if (isSent) reject(lost(error))
      else if (signal.aborted) reject(signal.reason)
      else resolve({ problem: error.message })
    }
    call.on('error', fail)
    call.once('continue', () => {
      clearTimeout(timer)
      isSent = true
      call.end(body)
    })
    call.once('response', (response: IncomingMessage) => {
      clearTimeout(timer)
      text(response).then((got) => {
        if (response.statusCode === 200) resolve({ body: got })
        else resolve({ problem: `${response.statusCode} ${got}`.trim() })
        call.destroy()
      }, fail)
    })
    call.flushHeaders()
  })
}

const lost = (cause: Error) =>
  internalError(
    'the connection to the service was lost while it carried out the request: look whether it was done',
    { reason: 'host-offline', cause },
  )
