import { must } from '../../compose/must.ts'
import { leaseHeld } from '../errors.ts'
import { holderOf } from '../leases/acquire-with-retry.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import { pauseLease } from '../leases/pause.ts'
import {
  type LongWork,
  type OperationPorts,
  startOperation,
} from '../operations/start-operation.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { AuditTrail } from '../records/audit-row.ts'
import type { Operation, OperationHead } from '../records/operation.ts'
import { localHost } from './own-place.ts'

export type PausePorts = OperationPorts & Needs<'hosts'>

/**
 * Lets no deployment, backup or restore begin for some minutes. The pause ends earlier if its
 * operation is cancelled or this process ends, such as in an upgrade.
 *
 * @throws 409 while the service is paused
 */
export function pauseService(
  minutes: number,
  caller: Caller,
  trail: AuditTrail | undefined,
  ports: PausePorts,
): Promise<Operation> {
  const pause = async (signal: AbortSignal) => {
    const ending = AbortSignal.any([signal, ports.background.stopping])
    await ports.clock.sleep(minutes * 60_000, ending)
    ending.throwIfAborted()
    return { minutes }
  }
  return startPaused('service_pause', pause, caller, trail, ports)
}

/**
 * Starts an operation of the service. While it works, no deployment, backup or restore begins.
 *
 * @throws 409 while the service is paused
 */
export async function startPaused(
  kind: 'service_pause' | 'service_upgrade',
  work: LongWork,
  caller: Caller,
  trail: AuditTrail | undefined,
  ports: PausePorts,
): Promise<Operation> {
  const { id: hostId, name: hostName } = must(await localHost(ports), 'host of the service')
  const request = {
    kind,
    subject: { kind: 'service', id: 'service', name: 'service' },
    hostId,
    hostName,
    readers: { permissions: ['service:upgrade'], everyHost: true },
    unaudited: trail,
  } as const
  const { background, leases, random } = ports
  return startOperation(request, caller, ports, async (execute, ending) => {
    // A holder of its own: the same one would renew the lease of another pause.
    const holder = holderOf(background.processId, `pause ${random.id()}`)
    const lease = await leases.acquire(pauseLease, holder, leaseTime)
    if (!lease) throw leaseHeld('the service is paused already')
    await withLeaseRenewal(lease, ending, ports, ({ signal }) => execute(work, signal))
  })
}

/** Returns the operation that pauses the service, or undefined if it is not paused. */
export async function runningPause({
  operations,
}: Needs<'operations'>): Promise<OperationHead | undefined> {
  const open = await operations.listOpen()
  return open.find(
    ({ kind, status }) =>
      status === 'running' && (kind === 'service_pause' || kind === 'service_upgrade'),
  )
}
