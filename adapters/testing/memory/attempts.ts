import type { AttemptState, Attempts } from '../../../functions/core/ports/attempts.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Versioned } from '../../../functions/core/ports/collection.ts'

/** Returns an in-memory store of login attempts. */
export function memoryAttempts(clock: Clock): Attempts {
  const entries = new Map<string, Versioned<AttemptState> & { expiresAt: number }>()
  let versions = 0
  const current = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.expiresAt > clock.now() ? entry : undefined
  }
  return {
    async read(key) {
      const { value, version } = current(key) ?? { value: noAttempts, version: 0 }
      return structuredClone({ value, version })
    },
    async swap(key, version, next, expiresAt) {
      if ((current(key)?.version ?? 0) !== version) return false
      entries.set(key, { value: structuredClone(next), version: ++versions, expiresAt })
      return true
    },
  }
}

const noAttempts: AttemptState = { failed: 0, pending: [], lockedUntil: null }
