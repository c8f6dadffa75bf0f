import { cacheFor } from '../../../functions/core/cache-for.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Hosts } from '../../../functions/core/ports/hosts.ts'

/** Milliseconds. */
const age = 1000

/**
 * Caches the hosts for a second. A change of an outdated record is refused, and the next read is
 * fresh.
 */
export function cacheHosts(hosts: Hosts, { monotonic }: Pick<Clock, 'monotonic'>): Hosts {
  const all = cacheFor(() => hosts.list(), age, monotonic)
  const forgetting = async <T>(write: Promise<T>) => {
    try {
      return await write
    } finally {
      all.invalidate()
    }
  }
  return {
    find: async (id) => (await all.get()).find((host) => host.id === id),
    list: async () => [...(await all.get())],
    create: (host) => forgetting(hosts.create(host)),
    replace: (host) => forgetting(hosts.replace(host)),
    remove: (id, revision) => forgetting(hosts.remove(id, revision)),
  }
}
