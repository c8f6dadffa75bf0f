import { z } from 'zod'
import { Instant, instantOrNull } from '../core/access/fields.ts'
import type { StoredKey } from '../core/records/keys.ts'

/** The maximum number of keys that a list returns. */
export const secretKeysMax = 200

export const SecretKey = z
  .object({
    id: z.string().describe('Id of the key'),
    current: z.boolean().describe('Whether it encrypts new values'),
    in_use: z.boolean().describe('Whether stored values may still be encrypted with it'),
    source: z
      .enum(['file', 'store', 'environment'])
      .describe('A file of the data directory, an item of the store, or an environment variable'),
    created_at: Instant.nullable().describe('Null for the first key and for configured keys'),
  })
  .meta({ id: 'SecretKey' })

export const SecretKeyPath = z.object({
  id: z
    .string()
    .regex(/^[0-9a-z-]{1,64}$/, 'must be the id of a key')
    .describe('Id of the key'),
})

/**
 * Returns the keys in the API's form. `onlyKey` is the key with which all values were found to be
 * encrypted.
 */
export function showKeys(keys: readonly StoredKey[], onlyKey: string | undefined) {
  const [first] = keys
  return keys.map((key) => {
    const current = key === first
    return showKey(key, { current, inUse: current || onlyKey !== first?.id })
  })
}

/** Returns a key in the API's form. */
export const showKey = (
  { id, source, createdAt }: StoredKey,
  { current, inUse }: { current: boolean; inUse: boolean },
) => ({ id, current, in_use: inUse, source, created_at: instantOrNull(createdAt) })

export const secretKeyExample = {
  id: '9f86d081884c7d65',
  current: true,
  in_use: true,
  source: 'file' as const,
  created_at: '2026-06-01T12:00:00.000Z',
}
