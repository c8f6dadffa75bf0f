import { Failure, internalError } from '../../functions/core/errors.ts'
import type { KeyStore } from '../../functions/core/ports/key-store.ts'
import type { KeyRing } from '../../functions/core/records/keys.ts'
import { installationRecord } from './installation.ts'
import { sealedCollection } from './sealed-collection.ts'
import type { Table } from './table.ts'

interface SharedKey {
  id: string
  text: string
}

/**
 * Stores keys as items (`shared-keys`, name), each sealed with an outside key and bound to its
 * name: the first one of `outside`, or from the first call of `sealedWith` the one that the
 * installation uses. A new outside key seals them again like any other encrypted record. `place` is
 * the store, for people.
 */
export function sealedKeys(table: Table, outside: KeyRing, place: string): KeyStore {
  const ring = { current: outside.current, keys: outside.keys }
  const records = sealedCollection<SharedKey>(table, 'shared-keys', ring)
  const where = (name: string) => `${name} in ${place}`
  const find = async (name: string) => {
    try {
      return await records.find(name)
    } catch (error) {
      throw await explained(error, name)
    }
  }
  /** Returns why a key could not be opened. A failure of the store stays what it is. */
  const explained = async (error: unknown, name: string) => {
    if (error instanceof Failure && error.message.startsWith('The store')) return error
    const key = (await table.get('shared-keys', name))?.key
    const isKnown = Object.hasOwn(outside.keys, String(key))
    const why = isKnown
      ? 'it was changed, or belongs to another name'
      : `it is sealed with key ${key}, which SERVICE_SECRET_KEY does not hold`
    return internalError(`${where(name)} cannot be opened: ${why}`, { cause: error })
  }
  return {
    kind: 'store',
    where,
    async find(name) {
      const found = await find(name)
      return found && { text: found.text, version: String(found.revision) }
    },
    async list(directory) {
      const items = await table.query('shared-keys', { attributes: ['rev'] })
      return items.map(({ sk }) => sk).filter((name) => name.startsWith(`${directory}/`))
    },
    async create(name, text) {
      await records.create({ id: name, text })
    },
    async replace(name, text, version) {
      const revision = Number(version)
      return (await records.replace({ id: name, text, revision })) !== undefined
    },
    async remove(name) {
      await records.remove(name)
    },
    async sealedWith() {
      const { key = '' } = (await installationRecord(table).keySeal(outside)) ?? {}
      if (Object.hasOwn(outside.keys, key)) ring.current = key
      return ring.current
    },
  }
}

/** Removes every key: those of a restored installation are files. */
export async function removeSealedKeys(table: Table): Promise<void> {
  const items = await table.query('shared-keys', { attributes: ['rev'] })
  await table.removeMany(items.map(({ pk, sk }) => ({ pk, sk })))
}
