import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { internalError } from '../../../functions/core/errors.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import type { HttpEvent, HttpResponse } from '../../../functions/kit/event.ts'
import { forwardPath } from './forwarded.ts'
import type { PeerSecrets } from './internal.ts'

/**
 * Passes a request on to the service, which checks it again and carries it out. Returns undefined
 * if the service was not reached, so that nothing was done.
 *
 * @throws Failure 500 if the connection is lost later: whether it was done is not known
 */
export type Forward = (event: HttpEvent, signal: AbortSignal) => Promise<HttpResponse | undefined>

/** Milliseconds for a connection to the service. */
const connectTime = 5_000

/** Returns what passes requests on to the service at `address`, `host:port`. */
export function forwardTo(
  address: string,
  secretsOf: () => Promise<PeerSecrets>,
  log: Log,
): Forward {
  const { hostname, port } = new URL(`https://${address}`)
  return async (event, signal) => {
    const { ca, secret } = await secretsOf()
    const sent = await send(JSON.stringify(event), signal, {
      host: hostname,
      port,
      method: 'POST',
      path: forwardPath,
      // A connection that is kept does not survive that the process is frozen.
      agent: false,
      ca,
      servername: agentProtocol.serverName,
      minVersion: 'TLSv1.3',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    })
    if ('problem' in sent) {
      log.warn('the service was not reached', { address, problem: sent.problem })
      return undefined
    }
    return JSON.parse(sent.body)
  }
}

/** A response, or why the service did not take the request. */
type Sent = { body: string } | { problem: string }

function send(body: string, signal: AbortSignal, options: Parameters<typeof request>[1] & object) {
  return new Promise<Sent>((resolve, reject) => {
    let isConnected = false
    const call = request({ ...options, signal })
    const timer = setTimeout(() => call.destroy(new Error('no connection in time')), connectTime)
    const fail = (error: Error) => {
      clearTimeout(timer)
      if (!isConnected && !signal.aborted) resolve({ problem: error.message })
      else reject(lost(error))
    }
    call.once('error', fail)
    call.once('socket', (socket) => {
      socket.once('secureConnect', () => {
        isConnected = true
        clearTimeout(timer)
      })
    })
    call.once('response', (response: IncomingMessage) => {
      text(response).then((got) => {
        if (response.statusCode === 200) resolve({ body: got })
        else resolve({ problem: `${response.statusCode} ${got}`.trim() })
      }, fail)
    })
    call.end(body)
  })
}

const lost = (cause: Error) =>
  internalError(
    'the connection to the service was lost while it carried out the request: look whether it was done',
    { reason: 'host-offline', cause },
  )
