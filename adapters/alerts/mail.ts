import { createTransport } from 'nodemailer'
import { mailFor } from '../../functions/core/alerts/compose.ts'
import type { MailTarget } from '../../functions/core/records/alert-channel.ts'
import type { SendResult } from '../../functions/core/records/alert-delivery.ts'
import type { Notice } from '../../functions/core/records/alert-notice.ts'
import type { Dialer } from '../net/outbound.ts'
import { OutboundTimeout } from '../net/request.ts'

/**
 * Sends a mail over a connection that the dialer opened, and returns the server's response. With
 * `starttls` no part of the mail is sent before the connection is encrypted; with `none` the
 * connection is never encrypted.
 */
export async function sendMail(
  dialer: Dialer,
  target: MailTarget,
  notice: Notice,
  { timeout, ca }: { timeout: number; ca: string | undefined },
): Promise<SendResult> {
  const { host, port, security, username, password, from, to } = target
  const over = new AbortController()
  const late = new OutboundTimeout(`no response within ${timeout / 1000} s`)
  const timer = setTimeout(() => over.abort(late), timeout)
  try {
    const socket = await dialer.connect(host, port, over.signal)
    over.signal.addEventListener('abort', () => socket.destroy(late))
    const transport = createTransport({
      host,
      port,
      connection: socket,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      disableFileAccess: true,
      disableUrlAccess: true,
      auth: username === null ? undefined : { user: username, pass: password ?? '' },
      tls: { minVersion: 'TLSv1.2', ...(ca && { ca: [ca] }) },
      greetingTimeout: timeout,
      socketTimeout: timeout,
      connectionTimeout: timeout,
    })
    try {
      const sent = await transport.sendMail({
        ...mailFor(target, notice),
        from: { name: 'Container Stacks', address: from },
        to: to.map((address) => ({ name: '', address })),
      })
      if (sent.rejected.length === 0) return { ok: true, status: statusOf(sent.response) }
      const error = `${sent.rejected.length} of ${to.length} recipients were rejected; the others got the mail`
      return { ok: false, status: statusOf(sent.response), error, retryAfter: null, final: true }
    } finally {
      transport.close()
      socket.destroy()
    }
  } catch (error) {
    if (over.signal.aborted) throw late
    const { responseCode, code } = error as { responseCode?: number; code?: string }
    const words = typeof code === 'string' ? problems[code] : undefined
    if (responseCode === undefined && words === undefined) throw error
    const status = responseCode ?? null
    const answered = status === null ? '' : `responded with ${status}`
    const text = [words, answered].filter(Boolean).join(', ')
    return { ok: false, status, error: text, retryAfter: null }
  } finally {
    clearTimeout(timer)
  }
}

const problems: Record<string, string> = {
  EAUTH: 'the user name or password was rejected',
  EENVELOPE: 'an address was rejected',
  EMESSAGE: 'the mail was rejected',
  ETLS: 'the connection could not be encrypted',
  ESOCKET: 'the connection broke or could not be encrypted',
  EPROTOCOL: 'the server violates the SMTP protocol',
}

/** `250 2.0.0 ok` → 250. */
const statusOf = (response: string) => Number(/^\d{3}/.exec(response)?.[0]) || null
