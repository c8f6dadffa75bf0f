import { wrongUsage } from '../failure.ts'
import type { Secrets } from '../prompt.ts'
import { userFields, userFlags, userOf } from './user-flags.ts'

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

/** Flags that set where an alert channel sends to. Secrets are asked for. */
export const channelFlags = {
  '--ntfy-server <url>': 'The ntfy server',
  '--with-token': 'Ask for an access token of the ntfy server',
  '--gotify-server <url>': 'The Gotify server',
  '--telegram-server <url>': "The server of the Bot API, if not Telegram's own",
  '--chat <id>': 'The Telegram chat: its id, or @ and the name of a public channel',
  '--thread <id>': 'A topic of the Telegram chat, or none',
  '--device <name>': 'Devices at Pushover, separated by commas, or none for all',
  '--matrix-server <url>': 'The Matrix homeserver of the sender, with https://',
  '--room <id>': 'The id of the Matrix room',
  '--apprise-server <url>': 'The Apprise API server',
  '--apprise-tag <tag>': 'Tags of the configuration at the Apprise API server, or none for all',
  '--with-urls': 'Ask for Apprise URLs instead of the key of a configuration',
  '--mail-server <host:port>': 'The mail server; the port defaults to 587',
  '--security <how>': 'Encryption of the mail connection: starttls (the default), tls or none',
  ...userFlags('The account at the mail server; you are asked for its password'),
  '--from <address>': 'The address that mails are sent from',
  '--to <...address>': 'An address that mails are sent to; repeatable',
} as const

/** What those flags set, where the API calls it otherwise. */
export const channelFields = {
  ...userFields,
  // Each kind has a flag of its own for its server.
  server: 'server',
  // The flag --user is the account at a mail server.
  user: 'user key',
  tag: '--apprise-tag',
  host: '--mail-server',
  port: '--mail-server',
} as const

interface Values {
  ntfyServer: string | undefined
  withToken: boolean
  gotifyServer: string | undefined
  telegramServer: string | undefined
  chat: string | undefined
  thread: string | undefined
  device: string | undefined
  matrixServer: string | undefined
  room: string | undefined
  appriseServer: string | undefined
  appriseTag: string | undefined
  withUrls: boolean
  mailServer: string | undefined
  security: string | undefined
  user: string | undefined
  username: string | undefined
  from: string | undefined
  to: string[]
}

/** The kind that each flag belongs to. */
const owners: Readonly<Record<keyof Values, ChannelKind>> = {
  ntfyServer: 'ntfy',
  withToken: 'ntfy',
  gotifyServer: 'gotify',
  telegramServer: 'telegram',
  chat: 'telegram',
  thread: 'telegram',
  device: 'pushover',
  matrixServer: 'matrix',
  room: 'matrix',
  appriseServer: 'apprise',
  appriseTag: 'apprise',
  withUrls: 'apprise',
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
export function readChannelFlags({ mailServer, from, to, ...flags }: Values) {
  const username = userOf(flags)
  const server = serverOf(flags)
  const { chat, room, thread, device, appriseTag, security } = flags
  return {
    ...(server !== undefined && { server }),
    ...(chat !== undefined && { chat }),
    ...(room !== undefined && { room }),
    ...(thread !== undefined && { thread: threadOf(thread) }),
    ...(device !== undefined && { device: orNone(device) }),
    ...(appriseTag !== undefined && { tag: orNone(appriseTag) }),
    ...(mailServer !== undefined && addressOf(mailServer)),
    ...(security !== undefined && { security }),
    ...(username !== undefined && { username }),
    ...(from !== undefined && { from }),
    ...(to.length > 0 && { to }),
  }
}

type Servers = 'ntfyServer' | 'gotifyServer' | 'telegramServer' | 'matrixServer' | 'appriseServer'

/** Returns the server that a flag names: one at most belongs to a kind. */
const serverOf = (flags: Pick<Values, Servers>): string | undefined =>
  flags.ntfyServer ??
  flags.gotifyServer ??
  flags.telegramServer ??
  flags.matrixServer ??
  flags.appriseServer

const orNone = (text: string): string | null => (text === 'none' ? null : text)

function threadOf(text: string): number | null {
  if (text === 'none') return null
  if (!/^[1-9]\d{0,14}$/.test(text)) throw wrongUsage('--thread: must be a number, or none')
  return Number(text)
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
  { withToken, withUrls, username }: Pick<Values, 'withToken' | 'withUrls' | 'username'>,
  secrets: Secrets,
) {
  switch (kind) {
    case 'webhook':
      return { url: await secrets.next('URL'), secret: await secrets.next('Signing secret') }
    case 'ntfy': {
      const topic = await secrets.next('Topic')
      return withToken ? { topic, token: await secrets.next('Access token') } : { topic }
    }
    case 'gotify':
      return { token: await secrets.next('Token of the application') }
    case 'telegram':
      return { token: await secrets.next('Token of the bot') }
    case 'pushover':
      return {
        token: await secrets.next('API token of the application'),
        user: await secrets.next('User key'),
      }
    case 'matrix':
      return { token: await secrets.next('Access token') }
    case 'apprise':
      return withUrls
        ? { urls: await secrets.next('Apprise URLs'), key: null }
        : { key: await secrets.next('Key of the configuration'), urls: null }
    case 'smtp':
      return username === undefined ? {} : { password: await secrets.next('Password') }
    default:
      return { url: await secrets.next('URL') }
  }
}
