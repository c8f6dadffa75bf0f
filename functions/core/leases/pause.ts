import { leaseHeld } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'

/** The lease of a pause. It ends with the process that holds it, within `leaseTime`. */
export const pauseLease = 'pause'

/** Returns whether deployments, backups and restores have to wait. */
export const isPaused = async ({ leases }: Needs<'leases'>): Promise<boolean> =>
  (await leases.peek(pauseLease)).held

/**
 * Call it after the lease of the work was acquired, so that of work and pause, one sees the other.
 *
 * @throws 409 while the service is paused
 */
export async function refuseWhilePaused(ports: Needs<'leases'>): Promise<void> {
  if (!(await isPaused(ports))) return
  throw leaseHeld(
    'the service is paused for an upgrade: no deployment, backup or restore begins until it ends, see `cli operations list`',
  )
}
