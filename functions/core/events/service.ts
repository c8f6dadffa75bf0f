import { hostNames } from '../hosts/host-names.ts'
import type { Needs } from '../ports/ports.ts'
import type { EncodedEvent } from '../ports/service-events.ts'
import type { Broadcast } from '../streams/broadcast.ts'
import { alertWatch } from './alerts.ts'
import { backupWatch } from './backups.ts'
import { connectionWatch } from './connections.ts'
import { deploymentWatch } from './deployments.ts'
import { fromAuditRow } from './from-audit-row.ts'
import { encodeEvent } from './service-event.ts'

/** The ports that the events of the service are read from. */
export type ServicePorts = Needs<
  | 'audit'
  | 'alertEvents'
  | 'backupRuns'
  | 'deployments'
  | 'hosts'
  | 'hostConnections'
  | 'clock'
  | 'log'
>

/** Milliseconds between two polls of the store. */
const pollInterval = 1000

/**
 * Publishes the events of all processes of the service. They are derived from stored records,
 * polled once a second and only while there is a subscriber. Calls `onStart` once the starting
 * point is fixed. While the store does not respond, events are delayed.
 */
export async function followService(
  out: Broadcast<EncodedEvent>,
  ports: ServicePorts,
  signal: AbortSignal,
  onStart: () => void,
): Promise<void> {
  const deployments = deploymentWatch(ports)
  const connections = connectionWatch(ports)
  const backups = backupWatch(ports)
  const alerts = alertWatch(ports)
  let end: number | undefined
  const poll = async () => {
    if (end === undefined) {
      const start = await ports.audit.after(undefined)
      await deployments.start()
      await connections.poll()
      await backups.poll()
      await alerts.poll()
      end = start.end
      return
    }
    const nameOf = await hostNames(ports)
    const { rows, end: next } = await ports.audit.after(end)
    for (const row of rows) deployments.observeRow(row)
    const audited = rows.flatMap((row) => fromAuditRow(row) ?? [])
    end = next
    for (const one of audited) out.publish(encodeEvent(one, nameOf))
    for (const one of await deployments.poll()) out.publish(encodeEvent(one, nameOf))
    for (const one of await connections.poll()) out.publish(encodeEvent(one, nameOf))
    for (const one of await backups.poll()) out.publish(encodeEvent(one, nameOf))
    for (const one of await alerts.poll()) out.publish(encodeEvent(one, nameOf))
  }
  let isFailing = false
  while (!signal.aborted) {
    try {
      await poll()
      isFailing = false
    } catch (error) {
      if (!isFailing) ports.log.warn('events could not be read', { error })
      isFailing = true
    }
    if (end !== undefined) onStart()
    await ports.clock.sleep(pollInterval, signal)
    await out.ready()
  }
}
