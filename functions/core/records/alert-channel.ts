/**
 * Encryption of the connection to a mail server: TLS from the start, STARTTLS before any mail data,
 * or none.
 */
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** The destination of a channel and the credentials to write to it. */
export type AlertTarget =
  | { kind: 'webhook'; url: string; secret: string }
  | { kind: 'slack' | 'discord'; url: string }
  | { kind: 'teams'; url: string }
  | { kind: 'ntfy'; server: string; topic: string; token: string | null }
  | { kind: 'gotify'; server: string; token: string }
  | TelegramTarget
  | PushoverTarget
  | { kind: 'matrix'; server: string; room: string; token: string }
  | AppriseTarget
  | MailTarget

export interface TelegramTarget {
  kind: 'telegram'
  /** A server of the Bot API. */
  server: string
  token: string
  /** The ID of a chat, or `@` and the name of a public channel. */
  chat: string
  /** The topic of a chat that has topics; null for the chat itself. */
  thread: number | null
}

export interface PushoverTarget {
  kind: 'pushover'
  /** The token of the application. */
  token: string
  /** The key of the user or group that gets the messages. */
  user: string
  /** Devices of the user, separated by commas; null for all. */
  device: string | null
}

/** Exactly one of `key` and `urls` is set. */
export interface AppriseTarget {
  kind: 'apprise'
  server: string
  /** The key of a configuration that the server has. */
  key: string | null
  /** The places that the server sends to, as Apprise URLs. */
  urls: string | null
  /** Only what the configuration has under these tags; null for all. */
  tag: string | null
}

export interface MailTarget {
  kind: 'smtp'
  host: string
  port: number
  security: MailSecurity
  username: string | null
  password: string | null
  from: string
  to: string[]
}

/** The types of channels. */
export const channelKinds = [
  'webhook',
  'slack',
  'discord',
  'teams',
  'ntfy',
  'gotify',
  'telegram',
  'pushover',
  'matrix',
  'apprise',
  'smtp',
] as const
export type ChannelKind = (typeof channelKinds)[number]

/** A channel that notifies people of alerts. All of it is secret. */
export interface AlertChannel {
  id: string
  /** Unique, ignoring case. */
  name: string
  target: AlertTarget
  /** Milliseconds since the epoch. */
  createdAt: number
  updatedAt: number
}
