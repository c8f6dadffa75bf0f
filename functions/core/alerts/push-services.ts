import type {
  AlertTarget,
  AppriseTarget,
  MailTarget,
  PushoverTarget,
  TelegramTarget,
} from '../records/alert-channel.ts'
import type { Notice } from '../records/alert-notice.ts'
import { cut, plainText, textLines } from './notice.ts'

/** A channel over HTTP. */
export type WebTarget = Exclude<AlertTarget, MailTarget>

type TargetOf<Kind extends AlertTarget['kind']> = Extract<AlertTarget, { kind: Kind }>

/** What differs between the requests of channels. A form is sent as one, other bodies as JSON. */
export interface Parts {
  url: string
  /** Default: POST. */
  method?: 'POST' | 'PUT'
  body: object
  headers?: Record<string, string>
}

/** Where Pushover takes messages. */
export const pushoverUrl = 'https://api.pushover.net/1/messages.json'

/** Returns the URL of a path on a server, which can have a path of its own. */
export const serverPath = (server: string, path: string): string =>
  `${server.replace(/\/+$/, '')}${path}`

/** Gotify: 1 to 3 show an icon, 4 to 7 also sound, from 8 on the phone also vibrates. */
const gotifyPriorities = { info: 4, warning: 6, critical: 8 }

/** https://gotify.net/docs/pushmsg; https://gotify.net/docs/msgextras (`client::notification`) */
export function gotifyParts({ server, token }: TargetOf<'gotify'>, notice: Notice): Parts {
  const { title, lines, link, severity, state } = notice
  const extras = {
    'client::display': { contentType: 'text/plain' },
    ...(link !== null && { 'client::notification': { click: { url: link } } }),
  }
  const priority = state === 'firing' ? gotifyPriorities[severity] : gotifyPriorities.info
  return {
    url: serverPath(server, '/message'),
    headers: { 'X-Gotify-Key': token },
    body: { title, message: lines.join('\n'), priority, extras },
  }
}

/** The maximum length of a message at Telegram in characters. */
const telegramMax = 4096

/** https://core.telegram.org/bots/api#sendmessage. Without `parse_mode` the text has no markup. */
export function telegramParts(target: TelegramTarget, notice: Notice): Parts {
  const { server, token, chat, thread } = target
  const isQuiet = notice.state === 'firing' && notice.severity === 'info'
  return {
    url: serverPath(server, `/bot${token}/sendMessage`),
    body: {
      chat_id: chat,
      ...(thread !== null && { message_thread_id: thread }),
      text: cut(plainText(notice), telegramMax),
      link_preview_options: { is_disabled: true },
      disable_notification: isQuiet,
    },
  }
}

/** https://pushover.net/api#limits, in characters. */
const pushoverMax = { title: 250, message: 1024, url: 512 }

/** https://pushover.net/api#messages; a critical alert has high priority (1, #priority). */
export function pushoverParts({ token, user, device }: PushoverTarget, notice: Notice): Parts {
  const { title, lines, link, severity, state } = notice
  const isUrgent = state === 'firing' && severity === 'critical'
  const body = new URLSearchParams({
    token,
    user,
    title: cut(title, pushoverMax.title),
    message: cut(lines.join('\n'), pushoverMax.message),
    priority: isUrgent ? '1' : '0',
  })
  if (device !== null) body.set('device', device)
  if (link !== null && link.length <= pushoverMax.url) {
    body.set('url', link)
    body.set('url_title', 'Alerts')
  }
  return { url: pushoverUrl, body }
}

/**
 * A workflow with the trigger "When a Teams webhook request is received" takes a message with one
 * Adaptive Card: https://learn.microsoft.com/en-us/connectors/teams/#microsoft-teams-webhook. Text
 * runs have no markup: https://adaptivecards.io/explorer/TextRun.html
 */
export function teamsParts({ url }: TargetOf<'teams'>, notice: Notice): Parts {
  const { title, lines, link } = notice
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      richText({ text: title, weight: 'Bolder', color: teamsColor(notice) }),
      ...lines.map((text) => richText({ text })),
    ],
    ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Alerts', url: link }] }),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return {
    url,
    body: { type: 'message', attachments: [{ contentType, contentUrl: null, content }] },
  }
}

interface TextRun {
  text: string
  weight?: 'Bolder'
  color?: string
}

const richText = (run: TextRun) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', ...run }],
})

const teamsColors = { info: 'Accent', warning: 'Warning', critical: 'Attention' }

function teamsColor({ state, severity }: Notice): string {
  if (state === 'firing') return teamsColors[severity]
  return state === 'resolved' ? 'Good' : 'Default'
}

/**
 * https://spec.matrix.org/v1.11/client-server-api/#sending-events-to-a-room. The ID of the delivery
 * is the transaction: a server takes a message that is sent again only once. `m.mentions` says that
 * the text mentions no person.
 */
export function matrixParts({ server, room, token }: TargetOf<'matrix'>, notice: Notice): Parts {
  const [roomId, transaction] = [encodeURIComponent(room), encodeURIComponent(notice.id)]
  const path = `/_matrix/client/v3/rooms/${roomId}/send/m.room.message/${transaction}`
  return {
    url: serverPath(server, path),
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}` },
    body: { msgtype: 'm.text', body: plainText(notice), 'm.mentions': {} },
  }
}

const appriseTypes = { info: 'info', warning: 'warning', critical: 'failure' }

/** https://github.com/caronc/apprise-api#api-details: `/notify/{KEY}`, or `/notify` with `urls`. */
export function appriseParts({ server, key, urls, tag }: AppriseTarget, notice: Notice): Parts {
  const { title, state, severity } = notice
  const ended = state === 'resolved' ? 'success' : 'info'
  return {
    url: serverPath(server, key === null ? '/notify' : `/notify/${encodeURIComponent(key)}`),
    // Without it, the server writes its reasons as HTML.
    headers: { Accept: 'application/json' },
    body: {
      ...(urls !== null && { urls }),
      title,
      body: textLines(notice).join('\n'),
      type: state === 'firing' ? appriseTypes[severity] : ended,
      format: 'text',
      ...(tag !== null && { tag }),
    },
  }
}
