import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'
import { acquireSweepLease } from './lease.ts'
import { removeOneOff } from './remove.ts'

type SweepPorts = Needs<'background' | 'engines' | 'leases' | 'log' | 'oneOffs'>

/**
 * Removes the one-off containers that had no feed for 30 s: those of clients that never came or
 * have gone, and of processes that died.
 */
export async function sweepOneOffs(ports: SweepPorts): Promise<void> {
  const all = await ports.oneOffs.list()
  const hosts = [...new Set(all.map(({ hostId }) => hostId))]
  const sweepHost = async (host: string) => {
    for (const oneOff of all.filter(({ hostId }) => hostId === host)) {
      const isDone = await sweep(oneOff, ports).catch((error) => {
        ports.log.warn('a one-off container could not be removed', {
          container: oneOff.container,
          host,
          error,
        })
        return false
      })
      // The host may be back for the next sweep.
      if (!isDone) return
    }
  }
  // A host that hangs does not delay the others.
  await Promise.all(hosts.map(sweepHost))
}

async function sweep({ id }: OneOff, ports: SweepPorts): Promise<true> {
  const lease = await acquireSweepLease({ id }, ports)
  if (!lease) return true
  try {
    const found = await ports.oneOffs.find(id)
    // Marked, because this process may pause here until a feed could attach again.
    const now = found?.isAbandoned
      ? found
      : found && (await ports.oneOffs.replace({ ...found, isAbandoned: true }))
    if (!now) return true
    const engine = await ports.engines.on(now.hostId).catch(noneIfGone)
    if (engine) await removeOneOff(now, engine, ports)
    else await ports.oneOffs.remove(id)
    return true
  } finally {
    await ports.leases.release(lease)
  }
}

/** Nothing can be removed from a host that was removed from the service. */
function noneIfGone(error: unknown): undefined {
  if (!(error instanceof Failure) || error.status !== 404) throw error
}
