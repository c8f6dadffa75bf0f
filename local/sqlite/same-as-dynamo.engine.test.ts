import { expect, test } from 'vitest'
import type { Item, Value } from '../../adapters/store/item.ts'
import type { Change, Condition, Table } from '../../adapters/store/table.ts'
import { newTable } from '../harness/dynamo-table.ts'
import { paced } from '../harness/pace.ts'
import fc from '../harness/properties.ts'
import { openedSqlite } from '../harness/sqlite-store.ts'

/** What a call did, in a form that can be compared. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { value: plain(await call) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Returns a result with bytes that are compared by their content, whatever their class. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
}

/** Returns two empty tables, and a function that makes a call to both and compares the outcomes. */
async function twoTables() {
  const dynamo = await newTable()
  const { items: sqlite } = await openedSqlite()
  const same = async (what: unknown, call: (table: Table) => Promise<unknown>) => {
    const [expected, found] = await Promise.all([outcomeOf(call(dynamo)), outcomeOf(call(sqlite))])
    expect(found, JSON.stringify(what)).toEqual(expected)
    return expected
  }
  return { same }
}

/** Every condition of adapters/dynamo, with its values. */
const conditions: Condition[] = [
  { if: 'attribute_not_exists(#pk)' },
  { if: 'attribute_exists(#pk)' },
  { if: '#rev = :seen', values: { seen: 7 } },
  { if: '#current = :presented AND #until > :now', values: { presented: 'a', now: 50 } },
  { if: 'attribute_exists(#pk) AND #fence <= :fence', values: { fence: 3 } },
  {
    if: 'attribute_exists(#pk) AND (attribute_not_exists(#fence) OR #fence <= :fence)',
    values: { fence: 3 },
  },
  {
    if: 'attribute_exists(#pk) AND (attribute_not_exists(#used) OR #used <= :before)',
    values: { before: 40 },
  },
  { if: 'attribute_exists(#pk) AND attribute_not_exists(#gsi1pk)' },
  { if: 'attribute_exists(#pk) AND attribute_not_exists(#at)' },
  {
    if: 'attribute_exists(#pk) AND attribute_not_exists(#gsi1pk) AND #ttl = :ttl',
    values: { ttl: 60 },
  },
  { if: '#holder = :held AND #fence = :taken', values: { held: 'a', taken: 3 } },
  { if: '#until > :now', values: { now: 50 } },
  { if: '#ttl <= :before', values: { before: 60 } },
  { if: '#stack = :stack', values: { stack: 'shop' } },
  { if: '#data = :before', values: { before: '' } },
  { if: 'attribute_not_exists(#pk) OR #until <= :now', values: { now: 50 } },
  { if: '#rev = :version AND #until > :now', values: { version: 7, now: 50 } },
  { if: '#set = :set', values: { set: 's' } },
  { if: '#number = :ended', values: { ended: 2 } },
]

/** Every filter of adapters/dynamo and adapters/store. */
const filters: Condition[] = [
  {
    if: 'NOT (begins_with(#pk, :text) OR #sk = :guard OR #pk IN (:tokens, :deployments, :runs, :running))',
    values: {
      text: 'text#',
      guard: 'guard',
      tokens: 'tokens',
      deployments: 'deployments-running',
      runs: 'backup-runs',
      running: 'backup-runs-running',
    },
  },
  {
    if:
      '(attribute_not_exists(#gsi1pk) AND (attribute_exists(#ttl) OR begins_with(#pk, :lease) OR ' +
      '(begins_with(#pk, :text) AND #sk = :head))) OR #sk = :guard OR (begins_with(#pk, :text) AND ' +
      '#sk <> :head) OR begins_with(#pk, :owners) OR #pk = :watches',
    values: {
      lease: 'lease#',
      text: 'text#',
      head: 'head',
      guard: 'guard',
      owners: 'owners#',
      watches: 'host-watches',
    },
  },
]

/** Every update of adapters/dynamo. */
const updates: Change[] = [
  {
    set: '#current = :next, #used = :used, #generation = #generation + :one',
    if: '#current = :presented AND #until > :now',
    values: { next: 'b', used: 70, one: 1, presented: 'a', now: 50 },
  },
  { set: '#used = :at', if: 'attribute_exists(#pk)', values: { at: 9 } },
  { set: '#at = :now', if: 'attribute_not_exists(#at)', values: { now: 9 } },
  {
    set: '#gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk, #at = :at, #rev = :rev',
    if: 'attribute_exists(#pk) AND attribute_not_exists(#gsi1pk) AND #rev = :seen',
    values: { gsi1pk: 'g', gsi1sk: '1', at: 9, rev: 8, seen: 7 },
  },
  {
    set: '#gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk, #ttl = :ttl',
    if: 'attribute_exists(#pk)',
    values: { gsi1pk: 'g', gsi1sk: '1', ttl: 99 },
  },
]

const attributes = [
  ...['rev', 'current', 'until', 'fence', 'used', 'gsi1pk', 'gsi1sk', 'at', 'ttl', 'holder'],
  ...['stack', 'data', 'set', 'number', 'generation'],
]

/** The values that conditions compare with, those beside them, and other types. */
const interesting: Value[] = [
  ...['', 'a', 'b', 'shop', 's', 'g', '1', '\u{ffff}', '\u{10000}'],
  ...[0, -1, 2, 3, 4, 7, 40, 41, 50, 51, 60, 99, 0.5, 2 ** 53],
  ...[new Uint8Array(), new Uint8Array([97]), new Uint8Array([255, 0])],
]

const keys = fc.record({
  pk: fc.constantFrom('text#1', 'text#2', 'lease#a', 'tokens', 'owners#h', 'x'),
  sk: fc.constantFrom('guard', 'head', '-', '\u{ffff}', '\u{10000}', 'é', 'z'),
})

const items: fc.Arbitrary<Item> = fc
  .tuple(
    keys,
    fc.dictionary(fc.constantFrom(...attributes), fc.constantFrom(...interesting), {
      maxKeys: attributes.length,
    }),
  )
  // Other index keys are refused; they have tests of their own.
  .map(([key, values]) => ({ ...values, ...('gsi1pk' in values && { gsi1pk: 'g' }), ...key }))

/** An item that meets each condition for which there has to be one. */
const matching: Item = {
  pk: 'x',
  sk: '-',
  rev: 7,
  current: 'a',
  until: 60,
  fence: 3,
  used: 40,
  ttl: 60,
  holder: 'a',
  stack: 'shop',
  data: '',
  set: 's',
  number: 2,
  generation: 1,
}

test(
  'every condition and update of the service has the same outcome in both stores',
  async () => {
    const { same } = await twoTables()
    const outcomes = new Map<string, Set<string>>()
    const note = (text: string, outcome: unknown) => {
      const kind = JSON.stringify(outcome) === '{"value":true}' ? 'holds' : 'does not hold'
      outcomes.set(text, (outcomes.get(text) ?? new Set()).add(kind))
    }
    await fc.assert(
      fc.asyncProperty(items, fc.boolean(), async (item, isThere) => {
        const key = { pk: item.pk, sk: item.sk }
        const { ttl, ...rest } = item
        // A put with an expiry adds index keys; items of earlier versions have none.
        const given = async () => {
          await same(item, (table) => table.put(rest as Item))
          if (ttl !== undefined) await same(item, (table) => table.update(key, expiry(ttl)))
        }
        const before = () => (isThere ? given() : remove())
        const remove = () => same(key, (table) => table.remove(key))
        for (const condition of conditions) {
          await before()
          note(
            condition.if,
            await same([item, condition], (table) =>
              table.put({ ...key, rev: 1, data: 'x' }, condition),
            ),
          )
          await before()
          await same([item, condition], (table) => table.take(key, condition))
        }
        for (const change of updates) {
          await before()
          await same([item, change], (table) => table.update(key, change))
          await same(key, (table) => table.get(key.pk, key.sk))
        }
      }),
      {
        numRuns: 8,
        seed: 1,
        examples: [
          [matching, true],
          [matching, false],
        ],
      },
    )
    // The conditions above were met and not met, so this compared both outcomes of each.
    const both = [...outcomes].filter(([, kinds]) => kinds.size === 2).map(([text]) => text)
    expect(both.sort()).toEqual(conditions.map((condition) => condition.if).sort())
  },
  paced(300_000),
)

test('every filter finds the same items in both stores', async () => {
  const { same } = await twoTables()
  const many = fc.sample(items, { numRuns: 150, seed: 7 })
  for (const item of many) await same(item, (table) => table.put(item))
  for (const condition of filters) {
    const found = async (table: Table) => {
      const { items, next } = await table.scanPage({
        filter: condition.if,
        values: condition.values,
        attributes: ['rev', 'data'],
      })
      return { next, items: sorted(items) }
    }
    const { value } = (await same(condition, found)) as { value: { items: unknown[] } }
    expect(value.items.length).toBeGreaterThan(2)
  }
  for (const limit of [1, 3, 7]) {
    await same(limit, async (table) => sorted(await allOf(table, limit)))
  }
})

const sorted = (items: Item[]) =>
  items.map((item) => JSON.stringify(Object.entries(plain(item) as object).sort())).sort()

async function allOf(table: Table, limit: number): Promise<Item[]> {
  const items: Item[] = []
  let from: { pk: string; sk: string } | undefined
  do {
    const page = await table.scanPage({ limit, from })
    items.push(...page.items)
    from = page.next
  } while (from)
  return items
}

test('sorts and pages items by the bytes of their keys, like DynamoDB', async () => {
  const { same } = await twoTables()
  const texts = [
    '',
    'a',
    'A',
    'é',
    'z',
    '\u{ffff}',
    '\u{10000}',
    '\u{e000}',
    '0',
    '10',
    '9',
    'a\0b',
  ]
  const sks = texts.filter((text) => text !== '')
  for (const [index, sk] of sks.entries()) {
    const indexed = { gsi1pk: 'g', gsi1sk: sk }
    const data = 'x'.repeat(150_000)
    await same(sk, (table) => table.put({ pk: 'p', sk, n: index, data, ...indexed }))
  }
  // Items with one of the keys of the index are not in it.
  await same('half', (table) => table.put({ pk: 'q', sk: 'half', gsi1pk: 'g' }))
  await same('other', (table) => table.put({ pk: 'q', sk: 'other', gsi1sk: 'a' }))
  for (const newestFirst of [false, true]) {
    for (const limit of [undefined, 1, 4, 100]) {
      for (const after of [undefined, ...texts]) {
        const options = { newestFirst, limit, after, attributes: ['n'] }
        await same(options, (table) => table.query('p', options))
        await same(options, (table) => table.queryIndex('g', options))
        await same(options, (table) => table.queryIndex('g', { ...options, upTo: after }))
      }
    }
  }
  await same('all', (table) => table.query('p'))
  await same('none', (table) => table.query('absent'))
})

const big = 400 * 1024
const key = { pk: 'p', sk: 's' }

const limits: [string, (table: Table) => Promise<unknown>][] = [
  ['an item of 400 KB', (table) => table.put({ ...key, a: 'x'.repeat(big - 7) })],
  ['an item of more than 400 KB', (table) => table.put({ ...key, a: 'x'.repeat(big - 6) })],
  ['400 KB in letters of two bytes', (table) => table.put({ ...key, a: 'é'.repeat(big / 2) })],
  ['400 KB of bytes', (table) => table.put({ ...key, a: new Uint8Array(big - 7) })],
  ['more than 400 KB of bytes', (table) => table.put({ ...key, a: new Uint8Array(big - 6) })],
  ['an empty pk', (table) => table.put({ pk: '', sk: 's' })],
  ['an empty sk', (table) => table.put({ pk: 'p', sk: '' })],
  ['a get with an empty key', (table) => table.get('p', '')],
  ['a query with an empty key', (table) => table.query('')],
  ['a query of the index with an empty key', (table) => table.queryIndex('')],
  ['a long pk', (table) => table.put({ pk: 'x'.repeat(2048), sk: 's' })],
  ['a pk that is too long', (table) => table.put({ pk: 'x'.repeat(2049), sk: 's' })],
  ['a long sk', (table) => table.put({ pk: 'p', sk: 'é'.repeat(512) })],
  ['a sk that is too long', (table) => table.put({ pk: 'p', sk: 'é'.repeat(513) })],
  ['an empty key of the index', (table) => table.put({ ...key, gsi1pk: '', gsi1sk: 'a' })],
  ['a number as key of the index', (table) => table.put({ ...key, gsi1pk: 1, gsi1sk: 'a' })],
  [
    'a long key of the index',
    (table) => table.put({ ...key, gsi1pk: 'a', gsi1sk: 'x'.repeat(1025) }),
  ],
  ['no number', (table) => table.put({ ...key, n: Number.NaN })],
  ['an infinite number', (table) => table.put({ ...key, n: Number.POSITIVE_INFINITY })],
  ['a number that is too large', (table) => table.put({ ...key, n: 1e126 })],
  ['a large number', (table) => table.put({ ...key, n: -9e125 })],
  ['a number that is too small', (table) => table.put({ ...key, n: 1e-131 })],
  ['a small number', (table) => table.put({ ...key, n: 1e-130 })],
  ['empty values', (table) => table.put({ ...key, text: '', bytes: new Uint8Array() })],
  [
    'a value that is not used',
    (table) => table.put(key, { if: '#a = :a', values: { a: 1, b: 2 } }),
  ],
  ['a value that is missing', (table) => table.put(key, { if: '#a = :a', values: {} })],
  ['a condition that ends early', (table) => table.put(key, { if: '#a =', values: {} })],
  ['an unknown function', (table) => table.put(key, { if: 'starts(#a, :a)', values: { a: 'x' } })],
  [
    'a beginning that is no text',
    (table) => table.take(key, { if: 'begins_with(#a, :a)', values: { a: 1 } }),
  ],
  ['an update of a key', (table) => table.update(key, change('#sk = :a', { a: 'b' }))],
  [
    'an update of one attribute twice',
    (table) => table.update(key, change('#a = :a, #a = :a', { a: 1 })),
  ],
  [
    'a sum with a missing attribute',
    (table) => table.update(key, change('#a = #a + :a', { a: 1 })),
  ],
  ['a sum with a text', (table) => table.update(key, change('#a = :a + :b', { a: 1, b: 'x' }))],
  ['a copy of a missing attribute', (table) => table.update(key, change('#a = #b', {}))],
  [
    'an update to more than 400 KB',
    (table) => table.update(key, change('#a = :a', { a: 'x'.repeat(big) })),
  ],
  [
    'an update of two attributes to the same bytes',
    (table) => table.update(key, change('#a = :a, #b = :a', { a: new Uint8Array([1, 2]) })),
  ],
  ['a batch with the same key twice', (table) => table.getMany([key, key])],
  ['a removal of the same key twice', (table) => table.removeMany([key, key])],
  ['a batch of writes with the same key twice', (table) => table.putMany([key, key])],
  ['an empty batch', (table) => table.getMany([])],
  ['removal of an absent item', (table) => table.remove(key)],
]

test('both stores accept and refuse the same', async () => {
  const { same } = await twoTables()
  for (const [what, call] of limits) {
    await same(what, (table) => table.remove(key))
    await same(what, call)
    await same(what, (table) => table.get('p', 's'))
  }
})

const expiry = (ttl: Value) => change('#ttl = :ttl', { ttl })

const change = (set: string, values: Record<string, Value>): Change => ({
  set,
  if: 'attribute_not_exists(#never)',
  values,
})

test('both stores read, write and remove many items', async () => {
  const { same } = await twoTables()
  const many = Array.from({ length: 130 }, (_, index) => ({
    pk: `p${index % 3}`,
    sk: String(index),
    n: index,
    bytes: new Uint8Array([index]),
  }))
  await same('put', (table) => table.putMany(many))
  const read = async (table: Table) =>
    sorted(await table.getMany([...many, { pk: 'p', sk: 'absent' }]))
  await same('read', read)
  await same('read a part', async (table) => sorted(await table.getMany(many, ['n', 'other'])))
  await same('remove', (table) => table.removeMany(many.slice(0, 70)))
  await same('read again', read)
  await same('scan', async (table) => {
    const found: Item[] = []
    for await (const item of table.scan('bytes')) found.push(item)
    return sorted(found)
  })
})
