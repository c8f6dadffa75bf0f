import { must } from '../../../functions/compose/must.ts'
import type { Secrets } from '../../../functions/core/ports/secrets.ts'
import type { SealedItems } from '../../store/sealed-items.ts'
import type { OpenKeyRing } from './key-ring.ts'

/**
 * Returns the keys of the installation together with the values that the store encrypts with
 * them.
 */
export function secretsOf(ring: OpenKeyRing, sealed: SealedItems): Secrets {
  return {
    ...sealed,
    async keys() {
      return ring.list()
    },
    async addKey() {
      const id = await ring.add()
      return must(
        (await ring.list()).find((key) => key.id === id),
        `key ${id}`,
      )
    },
    dropKey: (id) => ring.drop(id),
  }
}
