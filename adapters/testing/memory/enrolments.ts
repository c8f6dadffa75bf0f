import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Enrolments } from '../../../functions/core/ports/enrolments.ts'
import type { Enrolment } from '../../../functions/core/records/host.ts'

/** Returns an in-memory store of enrolments. */
export function memoryEnrolments(clock: Clock): Enrolments {
  const rows = new Map<string, Enrolment>()
  return {
    async create(hash, enrolment) {
      rows.set(hash, { ...enrolment })
    },
    async take(hash) {
      const found = rows.get(hash)
      rows.delete(hash)
      return found && found.expiresAt > clock.now() ? found : undefined
    },
  }
}
