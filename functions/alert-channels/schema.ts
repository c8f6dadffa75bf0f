import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import {
  channelKinds,
  mailSecurities,
  type AlertChannel as Record,
} from '../core/alerts/channel.ts'
import type { LastDelivery } from '../core/alerts/delivery.ts'

/** Most channels that can exist, and so the most that a list returns. */
export const channelsMax = 200

/** Dead-letter deliveries are counted up to this number. */
export const deadCounted = 1000

const noControls = /^[^\p{Cc}\p{Cf}\p{Cs}]*$/u

export const Name = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(noControls, 'contains control characters')

const Url = z
  .url({ protocol: /^https?$/, error: 'must be a URL that begins with https:// or http://' })
  .max(2048)
  .refine((text) => !hasUserInfo(text), 'must not contain a user name or password')

const Server = Url.regex(/^[^?#]*$/, 'must not have a query or a fragment')

const hasUserInfo = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && (url.username !== '' || url.password !== '')
}

const Secret = z.string().max(1024).regex(/\S/, 'is empty')
const Token = z
  .string()
  .max(1024)
  .regex(/^[\x21-\x7e]+$/, 'contains spaces or characters that are not allowed')
const Credential = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}]*$/u, 'contains control characters')
const Host = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/, 'is not a host')
const mailAddress =
  /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/
const MailAddress = z.string().max(320).regex(mailAddress, 'is not a plain email address')

/** The fields of each kind, besides the name. */
export const targets = {
  webhook: z.strictObject({
    kind: z.literal('webhook'),
    url: Url,
    secret: Secret.describe('Key of the signature in `X-Signature-256`'),
  }),
  slack: z.strictObject({ kind: z.literal('slack'), url: Url }),
  discord: z.strictObject({ kind: z.literal('discord'), url: Url }),
  ntfy: z.strictObject({
    kind: z.literal('ntfy'),
    server: Server.default('https://ntfy.sh'),
    topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be 1 to 64 letters, digits, - and _'),
    token: Token.nullable().default(null),
  }),
  smtp: z.strictObject({
    kind: z.literal('smtp'),
    host: Host,
    port: z.int().min(1).max(65_535).default(587),
    security: z
      .enum(mailSecurities)
      .default('starttls')
      .describe(
        '`tls`: TLS from the first byte. `starttls`: an upgrade before the message is sent. `none`: no encryption',
      ),
    username: Credential.nullable().default(null),
    password: Credential.nullable().default(null),
    from: MailAddress,
    to: z.array(MailAddress).min(1).max(50),
  }),
}

export const Target = z.discriminatedUnion('kind', [
  targets.webhook,
  targets.slack,
  targets.discord,
  targets.ntfy,
  targets.smtp,
])

const named = { name: Name }

export const AlertChannelBody = z
  .discriminatedUnion('kind', [
    targets.webhook.extend(named),
    targets.slack.extend(named),
    targets.discord.extend(named),
    targets.ntfy.extend(named),
    targets.smtp.extend(named),
  ])
  .meta({ id: 'AlertChannelBody' })

export const AlertChannelChange = z
  .strictObject({
    name: Name,
    kind: z.enum(channelKinds).describe('Cannot be changed'),
    url: Url,
    secret: Secret,
    server: Server,
    topic: z.string(),
    token: Token.nullable(),
    host: Host,
    port: z.int(),
    security: z.enum(mailSecurities),
    username: Credential.nullable(),
    password: Credential.nullable(),
    from: MailAddress,
    to: z.array(MailAddress).max(50),
  })
  .partial()
  .meta({ id: 'AlertChannelChange' })

export const AlertChannel = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(channelKinds),
    address: z.string().describe('The destination; for a URL only scheme, host and port'),
    secrets: z
      .array(z.string())
      .max(10)
      .describe('The secret fields that are set; their values are never returned'),
    username: z.string().nullable().optional(),
    security: z.enum(mailSecurities).optional(),
    from: z.string().optional(),
    to: z.array(z.string()).max(50).optional(),
    last_delivery: z
      .object({
        state: z.enum(['delivered', 'pending', 'dead']),
        error: z.string().nullable(),
        at: Instant,
      })
      .nullable()
      .describe('The result of the last attempt; `pending` is retried'),
    dead_letters: z
      .int()
      .max(deadCounted)
      .describe('Dead deliveries; at most 1000 are counted over all channels'),
    created_at: Instant,
    updated_at: Instant,
  })
  .meta({ id: 'AlertChannel' })

export const AlertChannelTest = z
  .object({
    ok: z.boolean(),
    status: z.int().nullable().describe('The HTTP or SMTP status; null if there was no reply'),
    error: z.string().nullable(),
  })
  .meta({ id: 'AlertChannelTest' })

export const ChannelPath = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) })

/** Returns a channel in the API's form, without the values that would give access to the target. */
export function showChannel(
  { id, name, target, createdAt, updatedAt }: Record,
  { last, dead = 0 }: { last?: LastDelivery; dead?: number } = {},
) {
  return {
    ...{ id, name, kind: target.kind, ...showTarget(target) },
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
      return { address: `${host}:${port}`, secrets, username, security, from, to }
    }
    case 'ntfy': {
      const secrets = ['topic', ...(target.token === null ? [] : ['token'])]
      return { address: new URL(target.server).origin, secrets }
    }
    default: {
      const secrets = target.kind === 'webhook' ? ['url', 'secret'] : ['url']
      return { address: new URL(target.url).origin, secrets }
    }
  }
}

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
