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
  | { kind: 'ntfy'; server: string; topic: string; token: string | null }
  | MailTarget

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
export const channelKinds = ['webhook', 'slack', 'discord', 'ntfy', 'smtp'] as const
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
