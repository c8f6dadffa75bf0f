import { label } from '../../compose/create/labels.ts'
import { conflict, forbidden, notFound } from '../errors.ts'
import { ignoreError } from '../ignore-error.ts'
import type { Stored } from '../ports/collection.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { OneOff } from '../records/one-off.ts'
import { acquireFeedLease } from './lease.ts'

/**
 * Returns the record of a one-off container, by the ID or name of the container.
 *
 * @throws 404 if there is no such container or it is no one-off container of this service, 403 if
 *   another account created it
 */
export async function getOneOff(
  id: string,
  { engine, hostId, caller }: { engine: Engine; hostId: string; caller: Caller },
  { oneOffs }: Needs<'oneOffs'>,
): Promise<Stored<OneOff>> {
  const { name, labels } = await engine.container(id)
  const slug = labels[label.slug] ?? ''
  // The label can be missing or anything, and the store refuses some keys.
  const oneOff = /^[0-9a-f]{12}$/.test(slug) ? await oneOffs.find(slug) : undefined
  // That of a job has no input, and its run reads the output.
  const found = oneOff?.jobRun === undefined ? oneOff : undefined
  // Anyone can set a label, but not the name of a container that exists.
  if (!found || found.hostId !== hostId || found.container !== name) {
    throw notFound(`container ${name}: it is no one-off container that waits for a feed`)
  }
  if (found.accountId === caller.account.id) return found
  throw forbidden(`container ${name}: another account created it`)
}

/**
 * Marks a one-off container as attached, so that no second feed can attach.
 *
 * @throws 409 if another feed is attached, or the container waited too long and is being removed
 */
export async function markAttached(
  oneOff: Stored<OneOff>,
  ports: Needs<'oneOffs' | 'leases'>,
): Promise<OneOff> {
  const claimed =
    oneOff.isAttached || oneOff.isAbandoned
      ? undefined
      : await ports.oneOffs.replace({ ...oneOff, isAttached: true })
  if (claimed && (await acquireFeedLease(claimed, ports))) return claimed
  const isAbandoned = claimed !== undefined || oneOff.isAbandoned
  const why = isAbandoned ? 'it waited too long and is being removed' : 'a feed is attached to it'
  throw conflict(`container ${oneOff.container}: ${why}`, { reason: 'conflict' })
}

/** How often the lease is renewed while a feed is attached. Milliseconds. */
const interval = 5_000

/**
 * Renews the lease of a one-off container until the signal is aborted. If a renewal fails, for
 * example while the store does not respond, the next one makes up for it.
 */
export async function renewFeedLease(
  oneOff: OneOff,
  over: AbortSignal,
  ports: Needs<'leases' | 'clock'>,
): Promise<void> {
  while (!over.aborted) {
    await ports.clock.sleep(interval, over)
    if (over.aborted) return
    await acquireFeedLease(oneOff, ports).catch(
      ignoreError('renew the lease of a one-off container'),
    )
  }
}

/**
 * Marks a one-off container as detached, so that another feed of the account can attach. The sweep
 * removes it 30 s after the last renewal of its lease.
 */
export async function markDetached({ id }: OneOff, { oneOffs }: Needs<'oneOffs'>): Promise<void> {
  const now = await oneOffs.find(id)
  if (now) await oneOffs.replace({ ...now, isAttached: false })
}
