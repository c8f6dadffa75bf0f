import type { z } from 'zod'
import { requireEveryHost } from '../core/access/grant.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AlertTarget, ChannelKind } from '../core/records/alert-channel.ts'
import { endpoint } from '../kit/endpoint.ts'
import { check } from '../kit/issues.ts'
import { versioned } from '../kit/reply.ts'
import { requireReachable } from './reachable.ts'
import {
  AlertChannel,
  AlertChannelChange,
  ChannelPath,
  channelExample,
  showChannel,
  Target,
  targets,
} from './schema.ts'

export default endpoint({
  summary: 'Update an alert channel',
  description:
    'Omitted fields keep their values, including secrets. A stored secret serves only the destination that it was given for: send it again to change the `url` of a webhook, `server` or `topic` of ntfy, `server` of Gotify, `server`, `chat` or `thread` of Telegram, `user` or `device` of Pushover, `server` or `room` of Matrix, `server` or `tag` of Apprise, or `host`, `port`, `security`, `username`, `from` or the recipients of mail. Recipients can be removed without it.',
  access: 'alerts:manage',
  takesIfMatch: true,
  path: ChannelPath,
  body: AlertChannelChange,
  returns: AlertChannel,
  errors: {
    400: 'A field that this kind of channel does not have, or a new destination without the secret',
    403: 'Your credential is limited to some hosts',
    404: 'There is no such channel',
    409: 'A channel with that name exists, or the channel is being changed by another request',
  },
  examples: { body: { name: 'Operations' }, returns: channelExample },

  async run(
    { path, body, caller, ifMatch },
    ports: Needs<'alertChannels' | 'alertDeliveries' | 'outbound' | 'clock'>,
  ) {
    requireEveryHost(caller, 'alert channels')
    const before = await ports.alertChannels.find(path.id)
    if (!before) throw notFound('there is no such channel')
    ifMatch.check(before.revision)
    const { name = before.name, ...change } = body
    const target = changedTarget(before.target, change)
    requireReachable(target, ports)
    const next = { ...before, name, target, updatedAt: ports.clock.now() }
    const saved = await ports.alertChannels.replace(next)
    if (!saved) {
      throw conflict(
        'a channel with that name exists, or this one is being changed by another request',
        { reason: 'exists' },
      )
    }
    const last = (await ports.alertDeliveries.last())[path.id]
    return versioned(showChannel(saved, { last }), saved.revision)
  },
})

type Change = Omit<z.output<typeof AlertChannelChange>, 'name'>

function changedTarget(target: AlertTarget, change: Change): AlertTarget {
  if (change.kind !== undefined && change.kind !== target.kind) {
    throw invalid(`body.kind: cannot be changed: the channel is of kind ${target.kind}`)
  }
  const fields = Object.keys(targets[target.kind].shape)
  const foreign = Object.keys(change).find((field) => !fields.includes(field))
  if (foreign)
    throw invalid(`body.${foreign}: a channel of kind ${target.kind} does not have this field`)
  const next: AlertTarget = check(Target, { ...target, ...change }, 'body')
  requireSecret(target, next, change)
  return next
}

interface Binding {
  /** Those of which a channel has at most one: the one that is stored counts. */
  secrets: readonly ('secret' | 'token' | 'topic' | 'password' | 'key' | 'urls')[]
  fields: readonly string[]
}

/** The secrets of a kind, and the fields that each is bound to. */
const bindings: Readonly<Record<ChannelKind, readonly Binding[]>> = {
  webhook: [{ secrets: ['secret'], fields: ['url'] }],
  slack: [],
  discord: [],
  teams: [],
  ntfy: [
    // Another server would learn the topic, and with it read the messages on this one.
    { secrets: ['topic'], fields: ['server'] },
    { secrets: ['token'], fields: ['server', 'topic'] },
  ],
  gotify: [{ secrets: ['token'], fields: ['server'] }],
  telegram: [{ secrets: ['token'], fields: ['server', 'chat', 'thread'] }],
  pushover: [{ secrets: ['token'], fields: ['user', 'device'] }],
  matrix: [{ secrets: ['token'], fields: ['server', 'room'] }],
  apprise: [{ secrets: ['key', 'urls'], fields: ['server', 'tag'] }],
  smtp: [{ secrets: ['password'], fields: ['host', 'port', 'security', 'username', 'from', 'to'] }],
}

/**
 * Checks that a stored secret serves only what it was given for. A user who may change the channel
 * need not know the secret.
 *
 * @throws 400 if a change of the destination, the account or the sender comes without the secret
 */
function requireSecret(before: AlertTarget, next: AlertTarget, change: Change): void {
  const old: Readonly<Record<string, unknown>> = { ...before }
  const now: Readonly<Record<string, unknown>> = { ...next }
  for (const { secrets, fields } of bindings[next.kind]) {
    const secret = secrets.find((one) => old[one] !== null)
    if (secret === undefined || change[secret] !== undefined) continue
    const moved = fields.find((field) => !isCovered(now[field], old[field]))
    if (moved) throw invalid(`body.${secret}: is required to change "${moved}"`)
  }
}

/** Returns whether the value is the same; of a list, whether nothing was added. */
const isCovered = (value: unknown, before: unknown): boolean =>
  Array.isArray(value) && Array.isArray(before)
    ? value.every((one) => before.includes(one))
    : value === before
