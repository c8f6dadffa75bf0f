import type { z } from 'zod'
import { requireEveryHost } from '../core/access/grant.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AlertTarget } from '../core/records/alert-channel.ts'
import { endpoint } from '../kit/endpoint.ts'
import { check } from '../kit/issues.ts'
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
    'Omitted fields keep their values, including secrets. A stored password or token is never sent to a new destination: to change `host`, `port`, `security` or `server`, send it again.',
  access: 'alerts:manage',
  path: ChannelPath,
  body: AlertChannelChange,
  returns: AlertChannel,
  errors: {
    400: 'A field that this kind of channel does not have, or a new destination without its secret',
    403: 'Your credential is limited to some hosts',
    404: 'There is no such channel',
    409: 'A channel with that name exists, or the channel is being changed by another request',
  },
  examples: { body: { name: 'Operations' }, returns: channelExample },

  async run(
    { path, body, caller },
    ports: Needs<'alertChannels' | 'alertDeliveries' | 'outbound' | 'clock'>,
  ) {
    requireEveryHost(caller, 'alert channels')
    const before = await ports.alertChannels.find(path.id)
    if (!before) throw notFound('there is no such channel')
    const { name = before.name, ...change } = body
    const target = changed(before.target, change)
    requireReachable(target, ports)
    const next = { ...before, name, target, updatedAt: ports.clock.now() }
    if (!(await ports.alertChannels.replace(next))) {
      throw conflict(
        'a channel with that name exists, or this one is being changed by another request',
        { reason: 'exists' },
      )
    }
    const last = (await ports.alertDeliveries.last())[path.id]
    return showChannel(next, { last })
  },
})

type Change = Omit<z.output<typeof AlertChannelChange>, 'name'>

function changed(target: AlertTarget, change: Change): AlertTarget {
  if (change.kind !== undefined && change.kind !== target.kind) {
    throw invalid(`body.kind: cannot be changed: the channel is of kind ${target.kind}`)
  }
  const fields = Object.keys(targets[target.kind].shape)
  const foreign = Object.keys(change).find((field) => !fields.includes(field))
  if (foreign)
    throw invalid(`body.${foreign}: a channel of kind ${target.kind} does not have this field`)
  const next: AlertTarget = check(Target, { ...target, ...change }, 'body')
  if (next.kind === 'smtp' && target.kind === 'smtp') {
    const moved = (['host', 'port', 'security'] as const).find((it) => next[it] !== target[it])
    if (moved && target.password !== null && change.password === undefined) {
      throw invalid(`body.password: is required to change ${moved}`)
    }
  }
  if (next.kind === 'ntfy' && target.kind === 'ntfy' && next.server !== target.server) {
    if (target.token !== null && change.token === undefined) {
      throw invalid('body.token: is required to change server')
    }
  }
  return next
}
