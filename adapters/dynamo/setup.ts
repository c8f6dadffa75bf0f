import { createHash, timingSafeEqual } from 'node:crypto'
import type { Setup } from '../../functions/core/ports.ts'
import { newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/**
 * The store knows only that the right was used (`setup`, `used`). The secret never gets there: each process has its own,
 * which it printed, or none; `secret` is asked at each attempt.
 */
export function dynamoSetup(table: Table, secret: () => string | undefined): Setup {
  const open = async () => (await table.get('setup', 'used')) === undefined
  return {
    open,
    async matches(presented) {
      const expected = secret()
      return expected !== undefined && isSame(presented, expected) && (await open())
    },
    consume: () => table.put({ pk: 'setup', sk: 'used', rev: newRevision() }, absent),
  }
}

function isSame(a: string, b: string) {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
