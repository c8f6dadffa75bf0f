import { serviceRow } from '../audit/row.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Needs } from '../ports/ports.ts'
import type { ClaimedDelivery, SendResult } from '../records/alert-delivery.ts'
import { chance } from '../time/chance.ts'
import { longestPause, outcomeOf, triesMax } from './attempt.ts'
import { noticeOf, withLink } from './notice.ts'

export type DeliverPorts = Needs<
  | 'alertChannels'
  | 'alertDeliveries'
  | 'alertSender'
  | 'leases'
  | 'background'
  | 'audit'
  | 'clock'
  | 'random'
  | 'log'
  | 'site'
>

/** Deliveries sent to a channel in one go. */
const batch = 50
/** Longer than one send may take. Milliseconds. */
const claimed = 15_000

/**
 * Starts sending the deliveries that are due. Channels are independent, so one that hangs does not
 * delay the others. A channel has one sender at a time among all processes, and a delivery is
 * claimed before it is sent. It is sent twice only if a sender dies before it records the result.
 */
export async function deliverAlerts(ports: DeliverPorts): Promise<void> {
  const due = await ports.alertDeliveries.due(batch)
  for (const channelId of new Set(due.map((one) => one.channelId))) {
    const ids = due.filter((one) => one.channelId === channelId).map(({ id }) => id)
    const holder = `${ports.background.processId}/${ports.random.id()}`
    const lease = await ports.leases.acquire(`alert-channel:${channelId}`, holder, leaseTime)
    if (!lease) continue
    ports.background.run('deliver alerts', (signal) =>
      withLeaseRenewal(lease, signal, ports, (held) => sendAll(channelId, ids, ports, held.signal)),
    )
  }
}

/** Sends to a channel until something fails, unless its receiver has asked to wait. */
async function sendAll(
  channelId: string,
  ids: readonly string[],
  ports: DeliverPorts,
  signal: AbortSignal,
): Promise<void> {
  const pauseLease = `alert-pause:${channelId}`
  if ((await ports.leases.peek(pauseLease)).held) return
  const channel = await ports.alertChannels.find(channelId)
  if (!channel) return ports.alertDeliveries.dropChannel(channelId)
  for (const id of ids) {
    if (signal.aborted) return
    const delivery = await ports.alertDeliveries.claim(id, claimed)
    if (!delivery) continue
    const result: SendResult =
      delivery.tries > triesMax
        ? {
            ok: false,
            status: null,
            error: 'every process that tried to send it died',
            retryAfter: null,
          }
        : await ports.alertSender.send(channel.target, withLink(noticeOf(delivery), ports.site))
    await recordAttempt(delivery, result, channel.name, ports)
    if (result.ok) continue
    // A lease that is not released: no process sends there until it is over. One that first sees
    // it later waits for its full length.
    const wait = Math.min(result.retryAfter ?? 0, longestPause)
    if (wait > 0) await ports.leases.acquire(pauseLease, ports.background.processId, wait)
    return
  }
}

async function recordAttempt(
  delivery: ClaimedDelivery,
  result: SendResult,
  channelName: string,
  ports: DeliverPorts,
): Promise<void> {
  const now = ports.clock.now()
  const outcome = outcomeOf(delivery, result, { now, chance: chance(ports) })
  const isOurs = await ports.alertDeliveries.recordAttempt(delivery, outcome)
  if (!isOurs || outcome.state !== 'dead') return
  const { id, event } = delivery
  const about = { channel: channelName, rule: event.ruleName, error: outcome.error }
  await ports.audit.append(
    serviceRow({
      id: ports.random.id(),
      at: now,
      action: 'alert-deliveries.dead',
      outcome: 'failed',
      subject: { kind: 'alert-deliveries', id },
      hosts: [event.subject.hostId],
      values: { ...about, tries: delivery.tries },
    }),
  )
}
