import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import { pushoverUrl } from '../core/alerts/push-services.ts'
import {
  channelKinds,
  mailSecurities,
  type AlertChannel as Record,
} from '../core/records/alert-channel.ts'
import type { LastDelivery } from '../core/records/alert-delivery.ts'
import { parseUrl } from '../core/url.ts'
import { acceptResponse } from '../kit/read-only.ts'

/** The maximum number of channels that can exist, and so of a list. */
export const channelsMax = 200

/** Dead-letter deliveries are counted up to this number. */
export const deadCounted = 1000

const noControls = /^[^\p{Cc}\p{Cf}\p{Cs}]*$/u

export const Name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(noControls, 'must not contain control characters')

const Url = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with https:// or http://' })
  .max(2048)
  .refine((text) => !hasUserInfo(text), 'must not contain a user name or password')

const Server = Url.regex(/^[^?#]*$/, 'must not have a query or a fragment')

const hasUserInfo = (text: string) => {
  const url = parseUrl(text)
  return url !== undefined && (url.username !== '' || url.password !== '')
}

const Secret = z.string().max(1024).regex(/\S/, 'must contain more than blanks')
const Token = z
  .string()
  .max(1024)
  .regex(/^[\x21-\x7e]+$/, 'must contain only visible ASCII characters, without spaces')
const BotToken = z
  .string()
  .regex(/^\d{1,20}:[\w-]{1,100}$/, 'must be the token of a bot, such as 123456:AAF-x_y')
const Chat = z
  .string()
  .regex(
    /^(-?\d{1,20}|@\w{1,64})$/,
    'must be the id of a chat, such as -1001234567890, or the name of a public channel, such as @name',
  )
const PushoverKey = z.string().regex(/^[A-Za-z0-9]{30}$/, 'must be 30 letters and digits')
const Devices = z
  .string()
  .max(255)
  .regex(
    /^[\w-]{1,25}(,[\w-]{1,25})*$/,
    'must be names of devices, separated by commas without blanks',
  )
const Homeserver = Server.regex(/^https:/, 'must begin with https://')
const Room = z
  .string()
  .max(255)
  .regex(/^![\x21-\x7e]+$/, 'must be the id of a room, such as !abc:example.org')
const AppriseKey = z.string().regex(/^[\w-]{1,128}$/, 'must be 1 to 128 letters, digits, - and _')
const AppriseUrls = z
  .string()
  .max(8192)
  .regex(
    /^[ ,]*[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\p{Cc}]*$/u,
    'must be Apprise URLs in one line, separated by commas or blanks',
  )
const Tags = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 |,_:+&-]*$/,
    'must be tags of Apprise: letters, digits, - and _, separated by commas or blanks',
  )
const Credential = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
const Host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/, 'must be a host name or address')
const mailAddress =
  /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/
const MailAddress = z
  .string()
  .max(320)
  .regex(mailAddress, 'must be an email address without a display name, such as ada@example.org')

const MailSecurity = z
  .enum(mailSecurities)
  .meta({ id: 'MailSecurity', description: 'How a connection to a mail server is encrypted' })
const ChannelKind = z
  .enum(channelKinds)
  .meta({ id: 'AlertChannelKind', description: 'Where the alerts of a channel go' })

/** The fields of each kind, besides the name. */
export const targets = {
  webhook: z.strictObject({
    kind: z
      .literal('webhook')
      .describe('Kind of the channel: an HTTP request to a server of yours'),
    url: Url.describe('URL that alerts are posted to; never returned'),
    secret: Secret.describe('Key of the signature in `X-Signature-256`; never returned'),
  }),
  slack: z.strictObject({
    kind: z.literal('slack').describe('Kind of the channel: a Slack channel'),
    url: Url.describe('URL of the incoming webhook in Slack; never returned'),
  }),
  discord: z.strictObject({
    kind: z.literal('discord').describe('Kind of the channel: a Discord channel'),
    url: Url.describe('URL of the webhook in Discord; never returned'),
  }),
  teams: z.strictObject({
    kind: z.literal('teams').describe('Kind of the channel: a channel or chat of Microsoft Teams'),
    url: Url.describe('URL of the webhook that starts the workflow; never returned'),
  }),
  ntfy: z.strictObject({
    kind: z.literal('ntfy').describe('Kind of the channel: a topic of ntfy'),
    server: Server.default('https://ntfy.sh').describe('URL of the ntfy server'),
    topic: z
      .string()
      .regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be 1 to 64 letters, digits, - and _')
      .describe(
        'Name of the topic. Anyone who knows it can read and send messages on a public server, so it is never returned',
      ),
    token: Token.nullable()
      .default(null)
      .describe('Access token of the ntfy server; `null` for none. Never returned'),
  }),
  gotify: z.strictObject({
    kind: z.literal('gotify').describe('Kind of the channel: an application of Gotify'),
    server: Server.describe('URL of the Gotify server'),
    token: Token.describe('Token of the application; never returned'),
  }),
  telegram: z.strictObject({
    kind: z.literal('telegram').describe('Kind of the channel: a chat of Telegram'),
    server: Server.default('https://api.telegram.org').describe('URL of the server of the Bot API'),
    token: BotToken.describe('Token of the bot; never returned'),
    chat: Chat.describe(
      'Id of the chat, as a text, or `@` and the name of a public channel. The bot must be a member',
    ),
    thread: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('Id of a topic of the chat; `null` for none'),
  }),
  pushover: z.strictObject({
    kind: z.literal('pushover').describe('Kind of the channel: a user or group of Pushover'),
    token: PushoverKey.describe('API token of the application; never returned'),
    user: PushoverKey.describe('Key of the user or group; never returned'),
    device: Devices.nullable()
      .default(null)
      .describe('Names of devices, separated by commas; `null` for all'),
  }),
  matrix: z.strictObject({
    kind: z.literal('matrix').describe('Kind of the channel: a room of Matrix without encryption'),
    server: Homeserver.describe('URL of the homeserver of the sender; only https'),
    room: Room.describe('Id of the room, not its address. The sender must be a member'),
    token: Token.describe('Access token of the sender; never returned'),
  }),
  apprise: z.strictObject({
    kind: z.literal('apprise').describe('Kind of the channel: an Apprise API server'),
    server: Server.describe('URL of the Apprise API server'),
    key: AppriseKey.nullable()
      .default(null)
      .describe(
        'Key of a configuration that the server has. Anyone who knows it can read that, so it is never returned. Either this or `urls`',
      ),
    urls: AppriseUrls.nullable()
      .default(null)
      .describe(
        'Apprise URLs that the server sends to, separated by commas or blanks; never returned. Either this or `key`',
      ),
    tag: Tags.nullable()
      .default(null)
      .describe('Only what the configuration has under these tags; `null` for all'),
  }),
  smtp: z.strictObject({
    kind: z.literal('smtp').describe('Kind of the channel: email'),
    host: Host.describe('Host name or address of the mail server'),
    port: z.int().min(1).max(65_535).default(587).describe('Port of the mail server'),
    security: MailSecurity.default('starttls').describe(
      '`tls`: TLS from the first byte. `starttls`: an upgrade before the message is sent. `none`: no encryption',
    ),
    username: Credential.nullable()
      .default(null)
      .describe('Account at the mail server; `null` to send without one'),
    password: Credential.nullable()
      .default(null)
      .describe('Password of the account; `null` for none. Never returned'),
    from: MailAddress.describe('Address that messages are sent from'),
    to: z.array(MailAddress).min(1).max(50).describe('Addresses that messages are sent to'),
  }),
}

/** Returns whether an Apprise channel has one of its two places to send to. */
export const hasOnePlace = ({ key, urls }: { key: unknown; urls: unknown }): boolean =>
  (key === null) !== (urls === null)

/** The error of a channel that has none or both. */
export const onePlace = { path: ['key'], message: 'must be given, or `urls` instead of it' }

export const Target = z.discriminatedUnion('kind', [
  targets.webhook,
  targets.slack,
  targets.discord,
  targets.teams,
  targets.ntfy,
  targets.gotify,
  targets.telegram,
  targets.pushover,
  targets.matrix,
  targets.apprise.refine(hasOnePlace, onePlace),
  targets.smtp,
])

const named = { name: Name.describe('Name of the channel, unique among channels') }

export const AlertChannelBody = z
  .discriminatedUnion('kind', [
    targets.webhook.extend(named).meta({ id: 'WebhookChannelBody' }),
    targets.slack.extend(named).meta({ id: 'SlackChannelBody' }),
    targets.discord.extend(named).meta({ id: 'DiscordChannelBody' }),
    targets.teams.extend(named).meta({ id: 'TeamsChannelBody' }),
    targets.ntfy.extend(named).meta({ id: 'NtfyChannelBody' }),
    targets.gotify.extend(named).meta({ id: 'GotifyChannelBody' }),
    targets.telegram.extend(named).meta({ id: 'TelegramChannelBody' }),
    targets.pushover.extend(named).meta({ id: 'PushoverChannelBody' }),
    targets.matrix.extend(named).meta({ id: 'MatrixChannelBody' }),
    targets.apprise.extend(named).refine(hasOnePlace, onePlace).meta({ id: 'AppriseChannelBody' }),
    targets.smtp.extend(named).meta({ id: 'SmtpChannelBody' }),
  ])
  .meta({ id: 'AlertChannelBody' })

export const AlertChannel = z
  .object({
    id: z.string().describe('Id of the channel'),
    name: z.string().describe('Name of the channel'),
    kind: ChannelKind.describe('Kind of the channel, which decides about its other fields'),
    address: z
      .string()
      .describe('The destination in one line; for a URL only scheme, host and port'),
    secrets: z
      .array(z.string())
      .max(10)
      .describe(
        'Fields that are set and never returned, such as `url`, `secret`, `topic`, `token`, `user`, `key`, `urls` and `password`. All other fields are returned as they were sent',
      ),
    server: z
      .string()
      .optional()
      .describe('URL of the server; only for `ntfy`, `gotify`, `telegram`, `matrix` and `apprise`'),
    chat: z.string().optional().describe('Id or name of the chat; only for `telegram`'),
    thread: z
      .int()
      .nullable()
      .optional()
      .describe('Id of a topic of the chat; only for `telegram`'),
    device: z.string().nullable().optional().describe('Names of devices; only for `pushover`'),
    room: z.string().optional().describe('Id of the room; only for `matrix`'),
    tag: z.string().nullable().optional().describe('Tags of the configuration; only for `apprise`'),
    host: z
      .string()
      .optional()
      .describe('Host name or address of the mail server; only for `smtp`'),
    port: z.int().optional().describe('Port of the mail server; only for `smtp`'),
    username: z
      .string()
      .nullable()
      .optional()
      .describe('Account at the mail server; only for `smtp`'),
    security: MailSecurity.optional().describe(
      'Encryption of the connection to the mail server; only for `smtp`',
    ),
    from: z.string().optional().describe('Sender of the messages; only for `smtp`'),
    to: z
      .array(z.string())
      .max(50)
      .optional()
      .describe('Recipients of the messages; only for `smtp`'),
    last_delivery: z
      .object({
        state: z
          .enum(['delivered', 'pending', 'dead'])
          .describe('Whether the last attempt succeeded, is retried, or was the last one'),
        error: z
          .string()
          .nullable()
          .describe('Why the last attempt failed; `null` if it succeeded'),
        at: Instant.describe('When the last attempt was made'),
      })
      .nullable()
      .describe('The result of the last attempt; `pending` is retried'),
    dead_letters: z
      .int()
      .max(deadCounted)
      .describe('Dead deliveries; at most 1000 are counted over all channels'),
    created_at: Instant.describe('When the channel was created'),
    updated_at: Instant.describe('When the channel was last changed'),
  })
  .meta({ id: 'AlertChannel' })

export const AlertChannelChange = acceptResponse(
  z
    .strictObject({
      name: Name.describe('Name of the channel, unique among channels'),
      kind: ChannelKind.describe('Cannot be changed'),
      url: Url.describe('URL of a webhook, Slack, Discord or Teams channel'),
      secret: Secret.describe('Key of the signature in `X-Signature-256`, for a webhook'),
      server: Server.describe('URL of the server of ntfy, Gotify, Telegram, Matrix or Apprise'),
      topic: z.string().describe('Name of the ntfy topic'),
      token: Token.nullable().describe(
        'Token of ntfy, Gotify, Telegram, Pushover or Matrix; `null` removes that of ntfy',
      ),
      chat: Chat.describe('Id or name of the Telegram chat'),
      thread: z.int().nullable().describe('Id of a topic of the Telegram chat; `null` for none'),
      user: PushoverKey.describe('Key of the user or group of Pushover'),
      device: Devices.nullable().describe('Names of devices at Pushover; `null` for all'),
      room: Room.describe('Id of the Matrix room'),
      key: AppriseKey.nullable().describe('Key of the configuration at the Apprise API server'),
      urls: AppriseUrls.nullable().describe('Apprise URLs, instead of `key`'),
      tag: Tags.nullable().describe('Tags of the configuration at Apprise; `null` for all'),
      host: Host.describe('Host name or address of the mail server'),
      port: z.int().describe('Port of the mail server'),
      security: MailSecurity.describe('How the connection to the mail server is encrypted'),
      username: Credential.nullable().describe('Account at the mail server; `null` removes it'),
      password: Credential.nullable().describe('Password at the mail server; `null` removes it'),
      from: MailAddress.describe('Address that messages are sent from'),
      to: z.array(MailAddress).max(50).describe('Addresses that messages are sent to'),
    })
    .partial(),
  AlertChannel,
).meta({ id: 'AlertChannelChange' })

export const AlertChannelTest = z
  .object({
    ok: z.boolean().describe('Whether the target accepted the test message'),
    status: z.int().nullable().describe('The HTTP or SMTP status; null if there was no reply'),
    error: z.string().nullable().describe('Why the test failed; `null` if it succeeded'),
    answer: z
      .string()
      .max(300)
      .nullable()
      .describe(
        'The reason that the receiver gave, in one line without the secrets of the channel. Not trusted; `null` if it gave none',
      ),
  })
  .meta({ id: 'AlertChannelTest' })

export const ChannelPath = z.object({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the id of an alert channel')
    .describe('Id of the alert channel'),
})

/** Returns a channel in the API's form, without the values that would give access to the target. */
export function showChannel(
  { id, name, target, createdAt, updatedAt }: Record,
  { last, dead = 0 }: { last?: LastDelivery; dead?: number } = {},
) {
  return {
    id,
    name,
    kind: target.kind,
    ...showTarget(target),
    last_delivery: last ? { ...last, at: instant(last.at) } : null,
    dead_letters: dead,
    created_at: instant(createdAt),
    updated_at: instant(updatedAt),
  }
}

function showTarget(target: Record['target']) {
  switch (target.kind) {
    case 'smtp': {
      const { host, port, security, username, from, to } = target
      const secrets = target.password === null ? [] : ['password']
      return { address: `${host}:${port}`, secrets, host, port, username, security, from, to }
    }
    case 'ntfy': {
      const secrets = ['topic', ...(target.token === null ? [] : ['token'])]
      const { server } = target
      return { address: originOf(server), secrets, server }
    }
    case 'gotify': {
      const { server } = target
      return { address: originOf(server), secrets: ['token'], server }
    }
    case 'telegram': {
      const { server, chat, thread } = target
      return { address: originOf(server), secrets: ['token'], server, chat, thread }
    }
    case 'pushover': {
      const { device } = target
      return { address: originOf(pushoverUrl), secrets: ['token', 'user'], device }
    }
    case 'matrix': {
      const { server, room } = target
      return { address: originOf(server), secrets: ['token'], server, room }
    }
    case 'apprise': {
      const { server, tag } = target
      const secrets = [target.key === null ? 'urls' : 'key']
      return { address: originOf(server), secrets, server, tag }
    }
    default: {
      const secrets = target.kind === 'webhook' ? ['url', 'secret'] : ['url']
      return { address: originOf(target.url), secrets }
    }
  }
}

const originOf = (url: string) => new URL(url).origin

export const channelExample = {
  id: '01976a3e-0000-7000-8000-000000000001',
  name: 'Operations',
  kind: 'webhook' as const,
  address: 'https://hooks.example.org',
  secrets: ['url', 'secret'],
  last_delivery: { state: 'delivered' as const, error: null, at: '2026-06-01T12:00:00.000Z' },
  dead_letters: 0,
  created_at: '2026-06-01T12:00:00.000Z',
  updated_at: '2026-06-01T12:00:00.000Z',
}
