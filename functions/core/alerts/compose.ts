import { createHmac } from 'node:crypto'
import type { MailTarget } from '../records/alert-channel.ts'
import type { Notice } from '../records/alert-notice.ts'
import { version } from '../version.ts'
import { plainText, textLines } from './notice.ts'
import {
  appriseParts,
  gotifyParts,
  matrixParts,
  type Parts,
  pushoverParts,
  serverPath,
  teamsParts,
  telegramParts,
  type WebTarget,
} from './push-services.ts'

/** An HTTP request that delivers a notice. */
export interface ChannelRequest {
  url: string
  method: 'POST' | 'PUT'
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

/** Returns the request for a channel over HTTP. `now` is in milliseconds since the epoch. */
export function requestFor(target: WebTarget, notice: Notice, now: number): ChannelRequest {
  const { url, body, headers, method = 'POST' } = partsFor(target, notice, now)
  const isForm = body instanceof URLSearchParams
  const text = isForm ? body.toString() : JSON.stringify(body)
  return {
    url,
    method,
    body: text,
    headers: {
      'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
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
        url: serverPath(target.server, '/'),
        body: ntfyMessage(target.topic, notice),
        headers: target.token === null ? {} : { Authorization: `Bearer ${target.token}` },
      }
    case 'gotify':
      return gotifyParts(target, notice)
    case 'telegram':
      return telegramParts(target, notice)
    case 'pushover':
      return pushoverParts(target, notice)
    case 'teams':
      return teamsParts(target, notice)
    case 'matrix':
      return matrixParts(target, notice)
    case 'apprise':
      return appriseParts(target, notice)
  }
}

/**
 * Slack interprets `&`, `<` and `>` as markup, including mentions (Slack, Formatting text for app
 * surfaces).
 */
const slackText = (notice: Notice) =>
  plainText(notice).replace(/[&<>]/g, (sign) => slackEscapes[sign] ?? sign)
const slackEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The maximum length of a Discord message in characters. */
const discordMax = 2000

function discordText({ title, lines, link }: Notice): string {
  const plain = (text: string) =>
    [...text].map((sign) => (markdown.test(sign) ? `\\${sign}` : sign))
  const signs = [
    ...['**', ...plain(title), '**'],
    ...lines.flatMap((line) => ['\n', ...plain(line)]),
    // One sign, so that it is whole or left out; it is the service's own, without markup.
    ...(link === null ? [] : [`\n${link}`]),
  ]
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

function ntfyMessage(topic: string, { title, lines, link, severity, state }: Notice) {
  const isFiring = state === 'firing'
  return {
    topic,
    title,
    message: lines.join('\n'),
    ...(link !== null && { click: link }),
    priority: isFiring ? priorities[severity] : 3,
    tags: [isFiring ? 'warning' : 'white_check_mark'],
  }
}

/** Returns the mail for a mail channel. Its message ID ends with the domain of the sender. */
export function mailFor({ from }: MailTarget, notice: Notice): ChannelMail {
  return {
    subject: notice.title,
    text: `${textLines(notice).join('\n')}\n`,
    messageId: `<${notice.id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'X-Delivery-Id': notice.id, 'Auto-Submitted': 'auto-generated' },
  }
}
