import { internalError } from '../../functions/core/errors.ts'
import { type Item, newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** The formats that the items of a store may have: from `writtenBy` to `readableBy`. */
export interface StoreFormat {
  /** A version can use the store if it reads this format. */
  readableBy: number
  /** Every item was written by a version that writes this format or a newer one, or converted. */
  writtenBy: number
  /** The version that raised `readableBy`. */
  version: string
}

/** The record of a store's format. All versions must be able to read it. */
export interface StoreFormatRecord {
  find(): Promise<StoreFormat | undefined>
  /** @throws 500 if there is no record */
  read(): Promise<StoreFormat>
  /** Creates the record unless there is one. Returns the one that the store has then. */
  create(format: StoreFormat): Promise<StoreFormat>
  /**
   * Replaces the record by what `next` makes of the current one. Returns the new one. `next` must
   * be idempotent: if a response of the store is lost, its result may be changed by it once more.
   */
  change(next: (current: StoreFormat) => StoreFormat): Promise<StoreFormat>
}

/** How often a change is tried again after another process made one at the same time. */
const triesMax = 20

const key = { pk: 'store-format', sk: '-' }

/** Stores the record as one item with plain attributes: `store-format`, `-`. */
export function storeFormatRecord(table: Table): StoreFormatRecord {
  const itemOf = () => table.get(key.pk, key.sk)
  const find = async () => {
    const item = await itemOf()
    return item && formatOf(item)
  }
  const read = async () => (await find()) ?? missing()
  return {
    find,
    read,
    async create(format) {
      await table.put({ ...key, ...format, rev: newRevision() }, absent)
      return read()
    },
    async change(next) {
      for (let tries = 0; tries < triesMax; tries += 1) {
        const item = (await itemOf()) ?? missing()
        const format = next(formatOf(item))
        const unchanged = { if: '#rev = :seen', values: { seen: item.rev as number } }
        if (await table.put({ ...key, ...format, rev: newRevision() }, unchanged)) return format
      }
      throw internalError('the record of the format of the store could not be changed')
    },
  }
}

const missing = (): never => {
  throw internalError('the record of the format of the store (item store-format) is missing')
}

/**
 * Returns the record in an item.
 *
 * @throws 500 if it is damaged, because then nothing is known about the store
 */
export function formatOf({ readableBy, writtenBy, version }: Item): StoreFormat {
  if (isFormat(readableBy) && isFormat(writtenBy) && typeof version === 'string')
    return { readableBy, writtenBy, version }
  throw internalError('the record of the format of the store (item store-format) is damaged')
}

const isFormat = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0
