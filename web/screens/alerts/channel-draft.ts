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
    server: '',
    topic: '',
    token: '',
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
  const name = draft.name.trim()
  const url = draft.url.trim()
  const server = draft.server.trim()
  if (kind === 'webhook') return { kind, name, url, secret }
  if (kind === 'slack' || kind === 'discord') return { kind, name, url }
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

/** Returns the body that changes a channel. Empty fields keep the stored value. */
export function changeOf(draft: ChannelDraft): ChannelChange {
  const filled = Object.entries(bodyOf(draft)).filter(
    ([, value]) => value !== '' && value !== null && !Number.isNaN(value),
  )
  return Object.fromEntries(filled.filter(([key]) => key !== 'kind')) as ChannelChange
}
