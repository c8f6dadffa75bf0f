import { requestFor } from '../../functions/core/alerts/compose.ts'
import { resultOf } from '../../functions/core/alerts/read-answer.ts'
import type { AlertSender } from '../../functions/core/ports/alert-sender.ts'
import { connectionCauses } from '../net/connection-causes.ts'
import { type Dialer, OutboundBlocked } from '../net/outbound.ts'
import { ProxyFailed } from '../net/proxy-tunnel.ts'
import { OutboundTimeout, outboundRequest } from '../net/request.ts'
import { sendMail } from './mail.ts'

/** Milliseconds for sending one message. */
const usualTimeout = 10_000

/** Bytes. The body is read up to this size: it has the reason of a refusal. */
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
        const { url, ...sent } = requestFor(target, notice, Date.now())
        const request = { url: new URL(url), ...sent, timeout, largest }
        const { status, headers, body } = await outboundRequest(dialer, request)
        return resultOf(target, { status, headers, body: body.toString() }, Date.now())
      } catch (error) {
        return { ok: false, status: null, error: reasonOf(error), retryAfter: null }
      }
    },
  }
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
