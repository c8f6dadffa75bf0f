import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Enrolments } from '../../functions/core/ports/enrolments.ts'
import type { Table } from './table.ts'

/**
 * Stores an enrolment as an item (`enrolment#<hash>`). The process that takes the item may use it.
 */
export function storedEnrolments(table: Table, clock: Clock): Enrolments {
  const key = (hash: string) => ({ pk: `enrolment#${hash}`, sk: '-' })
  return {
    async create(hash, { hostId, expiresAt }) {
      const ttl = Math.ceil(expiresAt / 1000)
      await table.put({ ...key(hash), hostId, until: expiresAt, ttl })
    },
    async take(hash) {
      const found = await table.get(key(hash).pk, key(hash).sk)
      if (!found || (found.until as number) <= clock.now()) return undefined
      if (!(await table.take(key(hash)))) return undefined
      return { hostId: found.hostId as string, expiresAt: found.until as number }
    },
  }
}
