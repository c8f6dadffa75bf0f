import type { Enrolment, Enrolments } from '../../functions/core/hosts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'

/** Returns enrolments in memory. */
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
