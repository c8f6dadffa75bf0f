import type { AttemptState, Attempts } from '../../functions/core/ports/attempts.ts'
import type { Versioned } from '../../functions/core/ports/collection.ts'

/**
 * Returns the same attempts with fewer calls of the store when many arrive at once for one name.
 * Concurrent reads share one call. Only the first of several swaps of one version is sent, because
 * no other can succeed.
 */
export function gatherAttempts(inner: Attempts): Attempts {
  const reads = new Map<string, Promise<Versioned<AttemptState>>>()
  const swaps = new Map<string, Promise<boolean>>()

  const forget = (key: string, read: Promise<Versioned<AttemptState>> | undefined) => {
    if (reads.get(key) === read) reads.delete(key)
  }
  return {
    read(key) {
      const shared = reads.get(key)
      if (shared) return shared
      const read: Promise<Versioned<AttemptState>> = inner
        .read(key)
        .finally(() => forget(key, read))
      reads.set(key, read)
      return read
    },
    async swap(key, version, next, expiresAt) {
      const place = `${version} ${key}`
      const first = swaps.get(place)
      if (first) {
        await Promise.allSettled([first])
        return false
      }
      const swap = inner.swap(key, version, next, expiresAt)
      swaps.set(place, swap)
      try {
        return await swap
      } finally {
        swaps.delete(place)
        // A read that began before this write may not see it.
        forget(key, reads.get(key))
      }
    },
  }
}
