/** How a mail server is spoken to: TLS from the first byte, TLS before anything is said of the mail, or none at all. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** Where a channel leads, and what it takes to write there. */
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

/** The kinds of channels. */
export const channelKinds = ['webhook', 'slack', 'discord', 'ntfy', 'smtp'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** A way on which people are told of alerts. Secret as a whole. */
export interface AlertChannel {
  id: string
  /** Unique, whatever the case of its letters. */
  name: string
  target: AlertTarget
  /** Milliseconds since the epoch. */
  createdAt: number
  updatedAt: number
}
