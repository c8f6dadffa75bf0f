import { z } from 'zod'
import { Instant, instantOrNull } from '../core/access/fields.ts'
import type { StoredKey } from '../core/keys.ts'

/** The keys that a list shows at most. */
export const secretKeysMax = 200

export const SecretKey = z
  .object({
    id: z.string(),
    current: z.boolean().describe('It encrypts what is new'),
    in_use: z.boolean().describe('Stored values may still be encrypted with it'),
    source: z.enum(['file', 'environment']),
    created_at: Instant.nullable().describe('Not known of the first one and of those configured'),
  })
  .meta({ id: 'SecretKey' })

export const SecretKeyPath = z.object({ id: z.string().regex(/^[0-9a-z-]{1,64}$/) })

/** The keys as the API gives them: `settledOn` is the one under which all values were found. */
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
