import { withExpiryIndex } from '../store/expiry-index.ts'
import type { Item, Key } from '../store/item.ts'
import type { Store } from '../store/store.ts'
import { present, type Table } from '../store/table.ts'
import { type Call, type IndexPlace, isWrite } from './calls.ts'
import { type Ask, StoreThread, type ThreadOptions } from './thread-calls.ts'

/** Items per call, as with DynamoDB: a call is short, so that others are not late. */
const batches = { getMany: 100, putMany: 25, removeMany: 25 } as const

/**
 * Returns the store in an SQLite file. The file is opened by the first call. Reads have a thread of
 * their own: they never wait until writes are on disk.
 */
export function sqliteStore(options: ThreadOptions): Store {
  const [reading, writing] = [new StoreThread(options), new StoreThread(options)]
  const ask: Ask = (name, method, ...args) =>
    (isWrite(method) ? writing : reading).ask(name, method, ...args)
  return {
    place: options.file,
    items: table(ask, 'items'),
    logs: table(ask, 'logs'),
    async ensure() {
      await Promise.all([reading.open(), writing.open()])
    },
    async close() {
      // The last connection moves the log into the file. If both close at once, each may leave that
      // to the other one.
      await reading.close()
      await writing.close()
    },
  }
}

function table(ask: Ask, name: Call['table']): Table {
  return {
    get: (pk, sk) => ask(name, 'get', { pk, sk }),
    async getMany(keys, attributes) {
      const items: Item[] = []
      for (const batch of inBatches(keys.map(keyOf), batches.getMany))
        items.push(...(await ask(name, 'getMany', batch, attributes)))
      return items
    },
    query: async (pk, { limit, ...options } = {}) =>
      allPages(limit, options.after, (left, after) =>
        ask(name, 'query', pk, { ...options, limit: left, after }),
      ),
    queryIndex: async (gsi1pk, { limit, ...options } = {}) =>
      allPages(limit, undefined, (left, from: IndexPlace | undefined) =>
        ask(name, 'queryIndex', gsi1pk, { ...options, limit: left }, from),
      ),
    put: (item, condition) => ask(name, 'put', withExpiryIndex(item), condition),
    update: ({ pk, sk }, change) => ask(name, 'update', { pk, sk }, change),
    take: ({ pk, sk }, condition = present) => ask(name, 'take', { pk, sk }, condition),
    remove: async ({ pk, sk }, condition = present) =>
      (await ask(name, 'take', { pk, sk }, condition)) !== undefined,
    async putMany(items) {
      for (const batch of inBatches(items.map(withExpiryIndex), batches.putMany))
        await ask(name, 'putMany', batch)
    },
    async removeMany(keys) {
      for (const batch of inBatches(keys.map(keyOf), batches.removeMany))
        await ask(name, 'removeMany', batch)
    },
    scan: (attribute) => scan(ask, name, attribute),
    scanPage: (options) => ask(name, 'scanPage', options),
  }
}

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk })

/** Returns the items of all pages, up to the limit. */
async function allPages<Place>(
  limit: number | undefined,
  first: Place | undefined,
  read: (
    left: number | undefined,
    from: Place | undefined,
  ) => Promise<{ items: Item[]; next: Place | undefined }>,
): Promise<Item[]> {
  const items: Item[] = []
  let from = first
  do {
    const page = await read(limit && limit - items.length, from)
    items.push(...page.items)
    from = page.next
  } while (from !== undefined && (limit === undefined || items.length < limit))
  return items
}

async function* scan(ask: Ask, name: Call['table'], attribute: string): AsyncGenerator<Item> {
  let from: Key | undefined
  do {
    const page = await ask(name, 'scanPage', {
      filter: `attribute_exists(#${attribute})`,
      from,
    })
    yield* page.items
    from = page.next
  } while (from)
}

function* inBatches<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
