import { hostNames } from '../hosts/host-names.ts'
import type { Needs } from '../ports/ports.ts'
import type { EncodedEvent, ServiceEvent } from '../ports/service-events.ts'
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
  const unpublished: ServiceEvent[] = []
  // Keeps the events of a poll that could not read the names of the hosts for the next one.
  const publish = async (events: readonly ServiceEvent[]) => {
    unpublished.push(...events)
    if (unpublished.length === 0) return
    const nameOf = await hostNames(ports)
    for (const one of unpublished.splice(0)) out.publish(encodeEvent(one, nameOf))
  }
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
    await publish([])
    const { rows, end: next } = await ports.audit.after(end)
    for (const row of rows) deployments.observeRow(row)
    const audited = rows.flatMap((row) => fromAuditRow(row) ?? [])
    end = next
    await publish(audited)
    for (const watch of [deployments, connections, backups, alerts])
      await publish(await watch.poll())
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
