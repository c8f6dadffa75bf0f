import type { AlertChannel, ChannelBody, ChannelChange } from '../../data/alerts.ts'
import { splitWords } from '../../data/split-words.ts'

export type Kind = AlertChannel['kind']
export type Security = NonNullable<AlertChannel['security']>

/** The form of a channel. Secrets of an existing channel are empty: the API never returns them. */
export interface ChannelDraft {
  kind: Kind
  name: string
  url: string
  secret: string
  server: string
  topic: string
  token: string
  chat: string
  thread: string
  user: string
  device: string
  room: string
  /** Where an Apprise server finds what it sends to. */
  place: 'key' | 'urls'
  key: string
  urls: string
  tag: string
  host: string
  port: string
  security: Security
  username: string
  password: string
  from: string
  to: string
}

/** Returns what a form begins with. The host of a mail server is a part of its address. */
export function draftOf(channel: AlertChannel | undefined): ChannelDraft {
  const mail = channel?.kind === 'smtp' ? splitAddress(channel.address) : undefined
  return {
    kind: channel?.kind ?? 'ntfy',
    name: channel?.name ?? '',
    url: '',
    secret: '',
    // The server of ntfy that is stored is not shown: an empty field keeps it.
    server: channel?.kind === 'ntfy' ? '' : (channel?.server ?? ''),
    topic: '',
    token: '',
    chat: channel?.chat ?? '',
    thread: channel?.thread?.toString() ?? '',
    user: '',
    device: channel?.device ?? '',
    room: channel?.room ?? '',
    place: channel?.secrets.includes('urls') ? 'urls' : 'key',
    key: '',
    urls: '',
    tag: channel?.tag ?? '',
    password: '',
    host: mail?.host ?? '',
    port: mail?.port ?? '587',
    security: channel?.security ?? 'starttls',
    username: channel?.username ?? '',
    from: channel?.from ?? '',
    to: channel?.to?.join(', ') ?? '',
  }
}

function splitAddress(address: string): { host: string; port: string } {
  const [, host = '', port = '587'] = /^(?:\w+:\/\/)?(.*?)(?::(\d+))?$/.exec(address) ?? []
  return { host, port }
}

/** Returns the body that creates a channel. */
export function bodyOf(draft: ChannelDraft): ChannelBody {
  const { kind, secret, topic, security, from } = draft
  const other = serviceBody(draft)
  if (other) return other
  const name = draft.name.trim()
  const url = draft.url.trim()
  const server = draft.server.trim()
  if (kind === 'webhook') return { kind, name, url, secret }
  if (kind === 'slack' || kind === 'discord' || kind === 'teams') return { kind, name, url }
  if (kind === 'ntfy') {
    return {
      kind,
      name,
      topic,
      ...(server && { server }),
      token: draft.token || null,
    } as ChannelBody
  }
  return {
    kind,
    name,
    security,
    host: draft.host,
    port: Number(draft.port),
    from,
    username: draft.username || null,
    password: draft.password || null,
    to: splitWords(draft.to),
  } as ChannelBody
}

/** Returns the body of a channel at a service with its own form; undefined for the other kinds. */
function serviceBody(draft: ChannelDraft): ChannelBody | undefined {
  const { kind, token, place } = draft
  const [name, server, tag] = [draft.name.trim(), draft.server.trim(), draft.tag.trim() || null]
  switch (kind) {
    case 'gotify':
      return { kind, name, server, token }
    case 'telegram': {
      const thread = draft.thread.trim() === '' ? null : Number(draft.thread)
      const chat = draft.chat.trim()
      return { kind, name, ...(server && { server }), token, chat, thread } as ChannelBody
    }
    case 'pushover': {
      const { user } = draft
      return { kind, name, token, user, device: draft.device.trim() || null }
    }
    case 'matrix':
      return { kind, name, server, room: draft.room.trim(), token }
    case 'apprise': {
      const [key, urls] = [draft.key.trim(), draft.urls.trim()]
      const chosen = place === 'key' ? { key, urls: null } : { key: null, urls }
      return { kind, name, server, tag, ...chosen }
    }
    default:
      return undefined
  }
}

/** The fields that an empty field of a form clears: the form shows their values. */
const clearable: ReadonlySet<string> = new Set(['thread', 'device', 'tag'])

/** Returns the body that changes a channel. Other empty fields keep the stored value. */
export function changeOf(draft: ChannelDraft): ChannelChange {
  const filled = Object.entries(bodyOf(draft)).filter(
    ([key, value]) =>
      (value !== '' && value !== null && !Number.isNaN(value)) ||
      (value === null && clearable.has(key)) ||
      (value === null && clearsPlace(draft, key)),
  )
  return Object.fromEntries(filled.filter(([key]) => key !== 'kind')) as ChannelChange
}

/** Returns whether the other place of an Apprise channel is given, so that this one ends. */
const clearsPlace = ({ key, urls }: ChannelDraft, field: string): boolean =>
  (field === 'urls' && key.trim() !== '') || (field === 'key' && urls.trim() !== '')
