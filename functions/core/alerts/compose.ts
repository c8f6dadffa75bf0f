import { createHmac } from 'node:crypto'
import type { AlertTarget, MailTarget } from '../records/alert-channel.ts'
import type { Notice } from '../records/alert-notice.ts'
import { version } from '../version.ts'

/** An HTTP request that delivers a notice. */
export interface ChannelRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** A mail that delivers a notice. */
export interface ChannelMail {
  subject: string
  text: string
  messageId: string
  headers: Record<string, string>
}

type WebTarget = Exclude<AlertTarget, MailTarget>

/** Returns the POST request for a channel over HTTP. `now` is in milliseconds since the epoch. */
export function requestFor(target: WebTarget, notice: Notice, now: number): ChannelRequest {
  const { url, body, headers } = partsFor(target, notice, now)
  const text = JSON.stringify(body)
  return {
    url,
    body: text,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `container-stacks/${version}`,
      'X-Delivery-Id': notice.id,
      ...headers,
      ...(target.kind === 'webhook' && { 'X-Signature-256': signatureOf(target.secret, text) }),
    },
  }
}

/** Returns `sha256=` and the HMAC-SHA256 of the exact bytes of the body in hex. */
export const signatureOf = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

interface Parts {
  url: string
  body: object
  headers?: Record<string, string>
}

function partsFor(target: WebTarget, notice: Notice, now: number): Parts {
  switch (target.kind) {
    case 'webhook': {
      // The time is part of the signed body, so that receivers can detect a replay.
      const at = new Date(now).toISOString()
      const { id, title, fields } = notice
      const body = { delivery_id: id, sent_at: at, text: title, ...fields }
      return { url: target.url, body, headers: { 'X-Timestamp': at } }
    }
    case 'slack':
      return { url: target.url, body: { text: slackText(notice), mrkdwn: false } }
    case 'discord': {
      const content = discordText(notice)
      return { url: target.url, body: { content, allowed_mentions: { parse: [] } } }
    }
    case 'ntfy':
      return {
        url: `${target.server.replace(/\/+$/, '')}/`,
        body: ntfyMessage(target.topic, notice),
        headers: target.token === null ? {} : { Authorization: `Bearer ${target.token}` },
      }
  }
}

const plainText = ({ title, lines }: Notice) => [title, ...lines].join('\n')

/**
 * Slack interprets `&`, `<` and `>` as markup, including mentions (Slack, Formatting text for app
 * surfaces).
 */
const slackText = (notice: Notice) =>
  plainText(notice).replace(/[&<>]/g, (sign) => slackEscapes[sign] ?? sign)
const slackEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The maximum length of a Discord message in characters. */
const discordMax = 2000

function discordText({ title, lines }: Notice): string {
  const plain = (text: string) =>
    [...text].map((sign) => (markdown.test(sign) ? `\\${sign}` : sign))
  const signs = ['**', ...plain(title), '**', ...lines.flatMap((line) => ['\n', ...plain(line)])]
  let text = ''
  for (const sign of signs) {
    if (text.length + sign.length > discordMax) break
    text += sign
  }
  return text
}

const markdown = /[\\*_~`|>#<@:()[\]-]/

/** ntfy's priorities range from 1 to 5. */
const priorities = { info: 3, warning: 4, critical: 5 }

function ntfyMessage(topic: string, { title, lines, severity, state }: Notice) {
  const isFiring = state === 'firing'
  return {
    topic,
    title,
    message: lines.join('\n'),
    priority: isFiring ? priorities[severity] : 3,
    tags: [isFiring ? 'warning' : 'white_check_mark'],
  }
}

/** Returns the mail for a mail channel. Its message ID ends with the domain of the sender. */
export function mailFor({ from }: MailTarget, notice: Notice): ChannelMail {
  return {
    subject: notice.title,
    text: `${notice.lines.join('\n')}\n`,
    messageId: `<${notice.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'X-Delivery-Id': notice.id, 'Auto-Submitted': 'auto-generated' },
  }
}
