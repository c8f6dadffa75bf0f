import { leaseHeld } from '../errors.ts'
import { acquireWithRetry, holderOf, runOf } from '../leases/acquire-with-retry.ts'
import { leaseTime } from '../leases/lease-renewal.ts'
import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { EstateRecord } from '../records/estate.ts'

const leaseOf = (estate: string) => `estate:${estate}`

/**
 * Acquires the right to apply a file of an estate.
 *
 * @param id of the apply
 * @throws 409 with who applies one, and since when
 */
export async function acquireEstate(
  estate: string,
  id: string,
  ports: Needs<'background' | 'clock' | 'estates' | 'leases'>,
): Promise<Lease> {
  const name = leaseOf(estate)
  const holder = holderOf(ports.background.processId, id)
  const attempt = () => ports.leases.acquire(name, holder, leaseTime)
  const hasEnded = async (other: string) => {
    const last = (await ports.estates.find(estate))?.last
    return last?.id === other && last.finishedAt !== null
  }
  const lease = await acquireWithRetry(name, attempt, hasEnded, ports)
  if (lease) return lease
  const record = await ports.estates.find(estate)
  if (!record || !(await isApplying(record, ports))) {
    throw leaseHeld(`estate ${estate}: another request applies a file of it: try again`)
  }
  const { by, startedAt } = record.last
  throw leaseHeld(
    `estate ${estate}: ${by} applies a file of it since ${new Date(startedAt).toISOString()}: try again when that has ended`,
  )
}

/** Returns whether the newest apply of an estate goes on: its process has not ended. */
export async function isApplying(
  { id, last }: Pick<EstateRecord, 'id' | 'last'>,
  { leases }: Needs<'leases'>,
): Promise<boolean> {
  if (last.finishedAt !== null) return false
  const { held, holder, isStale } = await leases.peek(leaseOf(id))
  return held && !isStale && runOf(holder ?? '') === last.id
}
