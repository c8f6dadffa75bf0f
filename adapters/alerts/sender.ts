import { retryAfter } from '../../functions/core/alerts/attempt.ts'
import { requestFor } from '../../functions/core/alerts/compose.ts'
import type { AlertSender } from '../../functions/core/ports/alert-sender.ts'
import type { SendResult } from '../../functions/core/records/alert-delivery.ts'
import { connectionCauses } from '../net/connection-causes.ts'
import { type Dialer, OutboundBlocked } from '../net/outbound.ts'
import { ProxyFailed } from '../net/proxy-tunnel.ts'
import { OutboundTimeout, outboundRequest } from '../net/request.ts'
import { sendMail } from './mail.ts'

/** Milliseconds for sending one message. */
const usualTimeout = 10_000

/** Bytes. The body is not used; it is read up to this size so that the receiver sees no error. */
const largest = 64 * 1024

/**
 * Returns a sender that delivers to channels over the network. `ca` is an additional certificate
 * authority to trust for mail servers.
 */
export function alertSender(
  dialer: Dialer,
  { timeout = usualTimeout, ca }: { timeout?: number; ca?: string } = {},
): AlertSender {
  return {
    async send(target, notice) {
      try {
        if (target.kind === 'smtp') return await sendMail(dialer, target, notice, { timeout, ca })
        const { url, headers, body } = requestFor(target, notice, Date.now())
        const request = { url: new URL(url), method: 'POST', headers, body, timeout, largest }
        const answer = await outboundRequest(dialer, request)
        return resultOf(answer.status, answer.headers['retry-after'])
      } catch (error) {
        return { ok: false, status: null, error: reasonOf(error), retryAfter: null }
      }
    },
  }
}

function resultOf(status: number, header: string | undefined): SendResult {
  if (status >= 200 && status < 300) return { ok: true, status }
  const more = status >= 300 && status < 400 ? '; redirects are not followed' : ''
  const pause = retryAfter(header, Date.now())
  return { ok: false, status, error: `responded with ${status}${more}`, retryAfter: pause }
}

/** Returns a short reason: our own message, or a text for the system's error code. */
function reasonOf(error: unknown): string {
  if (ours.some((kind) => error instanceof kind)) return (error as Error).message
  const { code } = error as { code?: unknown }
  return (
    connectionCauses[String(code)] ??
    `could not be sent${typeof code === 'string' ? ` (${code})` : ''}`
  )
}

/** Errors whose message is for the user. */
const ours = [OutboundBlocked, OutboundTimeout, ProxyFailed]
