import { wrongUsage } from '../failure.ts'
import type { Secrets } from '../prompt.ts'
import { userFields, userFlags, userOf } from './user-flags.ts'

export const channelKinds = ['webhook', 'slack', 'discord', 'ntfy', 'smtp'] as const

export type ChannelKind = (typeof channelKinds)[number]

/** Flags that set where an alert channel sends to. Secrets are asked for. */
export const channelFlags = {
  '--ntfy-server <url>': 'The ntfy server',
  '--with-token': 'Ask for an access token of the ntfy server',
  '--mail-server <host:port>': 'The mail server; the port defaults to 587',
  '--security <how>': 'Encryption of the mail connection: starttls (the default), tls or none',
  ...userFlags('The account at the mail server; you are asked for its password'),
  '--from <address>': 'The address that mails are sent from',
  '--to <...address>': 'An address that mails are sent to; repeatable',
} as const

/** What those flags set, where the API calls it otherwise. */
export const channelFields = {
  ...userFields,
  server: '--ntfy-server',
  host: '--mail-server',
  port: '--mail-server',
} as const

interface Values {
  ntfyServer: string | undefined
  withToken: boolean
  mailServer: string | undefined
  security: string | undefined
  user: string | undefined
  username: string | undefined
  from: string | undefined
  to: string[]
}

/** The kinds that each flag belongs to. */
const owners: Readonly<Record<keyof Values, ChannelKind>> = {
  ntfyServer: 'ntfy',
  withToken: 'ntfy',
  mailServer: 'smtp',
  security: 'smtp',
  user: 'smtp',
  username: 'smtp',
  from: 'smtp',
  to: 'smtp',
}

/** Throws wrong usage for a flag that channels of this kind do not have. */
export function checkChannelFlags(kind: ChannelKind, flags: Values): void {
  for (const [name, owner] of Object.entries(owners) as [keyof Values, ChannelKind][]) {
    const value = flags[name]
    const isGiven = Array.isArray(value) ? value.length > 0 : Boolean(value)
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (isGiven && owner !== kind) throw wrongUsage(`--${flag}: only for channels of kind ${owner}`)
  }
}

/** Returns the fields that the flags set. */
export function readChannelFlags({ ntfyServer, mailServer, from, to, ...flags }: Values) {
  const username = userOf(flags)
  return {
    ...(ntfyServer !== undefined && { server: ntfyServer }),
    ...(mailServer !== undefined && addressOf(mailServer)),
    ...(flags.security !== undefined && { security: flags.security }),
    ...(username !== undefined && { username }),
    ...(from !== undefined && { from }),
    ...(to.length > 0 && { to }),
  }
}

function addressOf(text: string) {
  const [, host = text, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== undefined && { port: Number(port) }),
  }
}

/** Asks for the secrets of a channel, in this order. */
export async function askChannelSecrets(
  kind: ChannelKind,
  { withToken, username }: Pick<Values, 'withToken' | 'username'>,
  secrets: Secrets,
) {
  switch (kind) {
    case 'webhook':
      return { url: await secrets.next('URL'), secret: await secrets.next('Signing secret') }
    case 'ntfy': {
      const topic = await secrets.next('Topic')
      return withToken ? { topic, token: await secrets.next('Access token') } : { topic }
    }
    case 'smtp':
      return username === undefined ? {} : { password: await secrets.next('Password') }
    default:
      return { url: await secrets.next('URL') }
  }
}
