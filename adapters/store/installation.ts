import type { KeyRing } from '../../functions/core/records/keys.ts'
import { type Item, newRevision } from './item.ts'
import { ifUnreadable, open, seal } from './sealed.ts'
import { absent, type Table } from './table.ts'

/** The key that seals the keys in the store, and whether the outside keys have it. */
export interface KeySeal {
  key: string
  /** Ids of the outside keys that sealed them before. None of them ever does so again. */
  retired: readonly string[]
  opens: boolean
  /** A process with key files has begun to copy them to the store, and has not finished. */
  importing: boolean
}

/** Keys in the store, and whether the process still has to copy key files there. */
export interface NewSeal {
  outside: KeyRing
  importing: boolean
}

/** Records which installation a store belongs to, and whether its keys are in the store. */
export interface InstallationRecord {
  /** Returns the id, or undefined if the store has none. */
  find(): Promise<string | undefined>
  /**
   * Writes an id unless the store has one, and returns the id of the store. With a seal, the same
   * write records that the keys are in the store.
   */
  make(id: string, seal?: NewSeal): Promise<string>
  /** Returns the seal of the keys in the store, or undefined if the keys are files. */
  keySeal(outside: KeyRing | undefined): Promise<KeySeal | undefined>
  /** Records that the keys are in the store from now on, unless that is recorded. */
  sealKeys(seal: NewSeal): Promise<void>
  /** Seals with the current outside key instead of `former`, unless another process did so. */
  moveSeal(outside: KeyRing, former: string): Promise<void>
  /** Records that all key files were copied. */
  endImport(): Promise<void>
  /** Records that the keys are files: for a restored installation. */
  unsealKeys(): Promise<void>
  /** Returns whether the first account was created. */
  isSetUp(): Promise<boolean>
}

const place = { pk: 'installation', sk: 'id' }
const address = `${place.pk} ${place.sk}`

/**
 * Stores the record as one item: `installation`, `id`. If the keys are in the store, the item has
 * the id sealed with the outside key too. A wrong outside key is noticed by it before any key is
 * read or created.
 */
export function installationRecord(table: Table): InstallationRecord {
  const read = () => table.get(place.pk, place.sk)
  const find = async () => (await read())?.id as string | undefined
  return {
    find,
    async make(id, newSeal) {
      const item: Item = { ...place, id, rev: newRevision() }
      await table.put(newSeal ? Object.assign(item, sealOf(id, newSeal)) : item, absent)
      return (await find()) ?? id
    },
    async keySeal(outside) {
      const item = await read()
      if (typeof item?.key !== 'string') return undefined
      const isOpen = outside !== undefined && opens(outside, item)
      const retired = retiredIn(item)
      return { key: item.key, retired, opens: isOpen, importing: item.importing === 1 }
    },
    async sealKeys(newSeal) {
      const item = await read()
      if (!item || item.key !== undefined) return
      const next = Object.assign(item, sealOf(String(item.id), newSeal))
      await table.put(next, { if: 'attribute_not_exists(#key) AND attribute_exists(#pk)' })
    },
    async moveSeal(outside, former) {
      const item = await read()
      if (item?.key !== former || !opens(outside, item)) return
      const { key, sealed } = sealOf(String(item.id), { outside, importing: false })
      const retired = [...retiredIn(item), former].join(',')
      const next = Object.assign(item, { key, sealed, retired })
      const seen = item.rev as number
      await table.put({ ...next, rev: newRevision() }, { if: '#rev = :seen', values: { seen } })
    },
    async endImport() {
      // The revision changes too, so that a new outside key does not undo this.
      const change = { set: '#importing = :done, #rev = :rev', if: '#importing = :begun' }
      await table.update(place, { ...change, values: { done: 0, begun: 1, rev: newRevision() } })
    },
    async unsealKeys() {
      const id = await find()
      if (id !== undefined) await table.put({ ...place, id, rev: newRevision() })
    },
    isSetUp: async () => (await table.get('setup', 'used')) !== undefined,
  }
}

const sealOf = (id: string, { outside, importing }: NewSeal) => ({
  rev: newRevision(),
  key: outside.current,
  sealed: seal(outside, outside.current, Buffer.from(id), address),
  importing: importing ? 1 : 0,
})

const retiredIn = ({ retired }: Item) => (retired ? String(retired).split(',') : [])

function opens(outside: KeyRing, { id, key, sealed }: Item): boolean {
  try {
    return open(outside, String(key), sealed as Uint8Array, address).toString() === id
  } catch (error) {
    return ifUnreadable(false)(error)
  }
}
