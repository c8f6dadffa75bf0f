import type { Adoption } from '../../functions/core/adopt/adoption.ts'
import type { Adoptions } from '../../functions/core/adopt/ports.ts'
import { broken } from '../../functions/core/errors.ts'
import type { Clock } from '../../functions/core/runtime.ts'

/** Returns adoptions in memory, with their uploaded parts. */
export function memoryAdoptions(clock: Clock): Adoptions {
  const adoptions = new Map<string, Adoption>()
  const parts = new Map<string, Map<number, Uint8Array>>()
  const live = (id: string) => {
    const adoption = adoptions.get(id)
    return adoption && adoption.expiresAt > clock.now() ? adoption : undefined
  }
  return {
    async find(id) {
      return structuredClone(live(id))
    },
    async save(adoption) {
      adoptions.set(adoption.id, structuredClone(adoption))
    },
    async putPart({ id }, part, bytes) {
      const own = parts.get(id) ?? new Map()
      parts.set(id, own.set(part, Uint8Array.from(bytes)))
    },
    async received(id) {
      return [...(parts.get(id)?.keys() ?? [])].sort((one, other) => one - other)
    },
    async *readPart(id, part) {
      const bytes = parts.get(id)?.get(part)
      if (!bytes) throw broken('A part of the bundle is missing')
      yield bytes
    },
    async removeParts(id) {
      parts.delete(id)
    },
  }
}
