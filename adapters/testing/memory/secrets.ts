import { must } from '../../../functions/compose/must.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Secrets } from '../../../functions/core/ports/secrets.ts'
import type { StoredKey } from '../../../functions/core/records/keys.ts'

/** Returns keys without key material. `values` maps each value to the key that encrypts it. */
export function memorySecrets(clock: Clock) {
  const first: StoredKey = { id: 'key-1', createdAt: null, source: 'file' }
  const keys = [first]
  const values = new Map<string, string>()
  let onlyKey: string | undefined
  const secrets: Secrets = {
    keys: async () => structuredClone(keys),
    async addKey() {
      const key: StoredKey = { ...first, id: `key-${keys.length + 1}`, createdAt: clock.now() }
      keys.unshift(key)
      return { ...key }
    },
    async dropKey(id) {
      keys.splice(0, keys.length, ...keys.filter((key) => key.id !== id))
    },
    async count() {
      const counts: Record<string, number> = {}
      for (const key of values.values()) counts[key] = (counts[key] ?? 0) + 1
      return counts
    },
    async reencrypt() {
      const current = must(keys[0], 'current key').id
      const others = [...values].filter(([, key]) => key !== current)
      for (const [name] of others) values.set(name, current)
      return others.length
    },
    onlyKey: async () => onlyKey,
    async recordOnlyKey(key) {
      onlyKey = key ?? undefined
    },
  }
  return { ...secrets, stored: keys, values }
}
