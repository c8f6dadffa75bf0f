import { leaseHeld } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'

export type PauseLookPorts = Needs<'clock' | 'leases' | 'serviceUpgrades'>

/** The lease of a pause. It ends with the process that holds it, within `leaseTime`. */
export const pauseLease = 'pause'

/**
 * The time after which an upgrade no longer pauses a process that sees it, whatever became of it.
 * An upgrade takes two minutes. Milliseconds.
 */
const replacingMax = 15 * 60_000

/**
 * Returns whether deployments, backups and restores have to wait. While the container of the
 * service is being replaced, this holds for the process that replaces the one with the lease, too.
 */
export async function isPaused({
  clock,
  leases,
  serviceUpgrades,
}: PauseLookPorts): Promise<boolean> {
  if ((await leases.peek(pauseLease)).held) return true
  const since = await serviceUpgrades.openSince()
  return since !== undefined && clock.monotonic() - since < replacingMax
}

/**
 * Call it after the lease of the work was acquired, so that of work and pause, one sees the other.
 *
 * @throws 409 while the service is paused
 */
export async function refuseWhilePaused(ports: PauseLookPorts): Promise<void> {
  if (!(await isPaused(ports))) return
  throw leaseHeld(
    'the service is paused for an upgrade: no deployment, backup or restore begins until it ends, see `cli operations list`',
  )
}
