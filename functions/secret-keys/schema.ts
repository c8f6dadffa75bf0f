import { z } from 'zod'
import { Instant, instantOrNull } from '../core/access/fields.ts'
import type { StoredKey } from '../core/keys.ts'

/** Most keys that a list returns. */
export const secretKeysMax = 200

export const SecretKey = z
  .object({
    id: z.string(),
    current: z.boolean().describe('Whether it encrypts new values'),
    in_use: z.boolean().describe('Whether stored values may still be encrypted with it'),
    source: z.enum(['file', 'environment']),
    created_at: Instant.nullable().describe('Null for the first key and for configured keys'),
  })
  .meta({ id: 'SecretKey' })

export const SecretKeyPath = z.object({ id: z.string().regex(/^[0-9a-z-]{1,64}$/) })

/**
 * Returns the keys in the API's form. `settledOn` is the key with which all values were found to be
 * encrypted.
 */
export function showKeys(keys: readonly StoredKey[], settledOn: string | undefined) {
  return keys.map(({ id, source, createdAt }, index) => ({
    id,
    current: index === 0,
    in_use: index === 0 || settledOn !== keys[0]!.id,
    source,
    created_at: instantOrNull(createdAt),
  }))
}

export const secretKeyExample = {
  id: '9f86d081884c7d65',
  current: true,
  in_use: true,
  source: 'file' as const,
  created_at: '2026-06-01T12:00:00.000Z',
}
