import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { memoryHosts } from '../testing/memory/hosts.ts'
import { memoryPorts } from '../testing/memory/stores.ts'
import { present } from '../testing/present.ts'
import { storedAttempts } from './attempts.ts'
import { storedExpiredItems } from './expired-items.ts'
import { expiryPartition } from './expiry-index.ts'
import { guardedNames } from './guarded-names.ts'
import { leaseTtl, storedLeases } from './leases.ts'
import type { Table } from './table.ts'
import { storedTextMarks } from './text-marks.ts'
import { storedTexts } from './texts.ts'
import { storedTickets } from './tickets.ts'

const hour = 3_600_000
const start = 500_000 * hour

/** Returns a table and its sweep, at the beginning of an hour. */
async function world() {
  const [items, logs] = [await newTable(), await newTable()]
  const clock = memoryClock(start)
  const options = { clock, hosts: memoryHosts(), names: guardedNames(memoryPorts()) }
  const expired = storedExpiredItems(items, logs, options)
  return { items, logs, clock, expired, options }
}

const session = { kind: 'session', sessionId: 's', accountId: 'a' } as never

async function keysOf(table: Table): Promise<string[]> {
  const { items } = await table.scanPage({
    filter: 'attribute_exists(#pk)',
    attributes: [],
    limit: 1000,
  })
  return items.map(({ pk }) => pk).sort()
}

/** Waits until the index, which may lag behind, lists these items of an hour. */
async function untilIndexed(table: Table, hour: number, keys: readonly string[]) {
  const list = async () =>
    (await table.queryIndex(expiryPartition(hour), { attributes: [] })).map(({ pk }) => pk).sort()
  await expect.poll(list).toEqual([...keys].sort())
}

test('removes expired items hour by hour until none is left', async () => {
  const { items, logs, clock, expired } = await world()
  const tickets = storedTickets(items, clock)
  for (let index = 0; index < 7; index += 1) {
    await tickets.create({
      hash: `${index}`,
      credential: session,
      origin: null,
      expiresAt: start + 30_000,
    })
  }
  await tickets.create({
    hash: 'later',
    credential: session,
    origin: null,
    expiresAt: start + 2 * hour,
  })
  await logs.put({ pk: 'metrics#h', sk: '1', ttl: start / 1000 + 60 })
  const seven = Array.from({ length: 7 }, (_, index) => `ticket#${index}`)
  await untilIndexed(items, 500_000, seven)
  await untilIndexed(logs, 500_000, ['metrics#h'])
  expect(await expired.removeHour(500_000, start, 5)).toBe(0)
  expect(await expired.removeHour(500_001, start + hour, 5)).toBe(0)
  expect(await expired.removeHour(500_000, start + hour, 5)).toBe(5)
  await expect.poll(() => items.queryIndex(expiryPartition(500_000))).toHaveLength(2)
  expect(await expired.removeHour(500_000, start + hour, 5)).toBe(3)
  expect(await keysOf(items)).toEqual(['ticket#later'])
  expect(await keysOf(logs)).toEqual([])
})

test('keeps an item that was rewritten with a later expiry', async () => {
  const { items, clock, expired, options } = await world()
  const attempts = storedAttempts(items, clock)
  const state = { failed: 1, pending: [], lockedUntil: null }
  await attempts.swap('ada', 0, state, start + 1000)
  await expect.poll(() => items.queryIndex(expiryPartition(500_000))).toHaveLength(1)
  const { query, queryIndex } = items
  const sweep = storedExpiredItems(
    {
      ...items,
      query,
      // Extends the lockout between the query of the index and the removal.
      async queryIndex(...given) {
        const found = await queryIndex(...given)
        const { version } = await attempts.read('ada')
        await attempts.swap('ada', version, { ...state, failed: 2 }, start + 9 * hour)
        return found
      },
    },
    items,
    options,
  )
  expect(await sweep.removeHour(500_000, start + hour, 25)).toBe(0)
  expect((await attempts.read('ada')).value.failed).toBe(2)
  expect(await expired.removeHour(500_000, start + hour, 25)).toBe(0)
})

test('removes a lease a week after its end, a lease for samples of a host never', async () => {
  const { items, clock, expired } = await world()
  const leases = storedLeases(items, clock)
  for (const name of ['stack:web', 'look:h1']) {
    const lease = present(await leases.acquire(name, 'me', 1000))
    await leases.release(lease)
  }
  const endsIn = Math.floor(present(leaseTtl('stack:web', start)) / 3600)
  await untilIndexed(items, endsIn, ['lease#stack:web'])
  expect(await expired.removeHour(endsIn, start + 6 * 24 * hour, 25)).toBe(0)
  expect(await expired.removeHour(endsIn, start + 9 * 24 * hour, 25)).toBe(1)
  expect(await keysOf(items)).toEqual(['lease#look:h1'])
})

test('a scan removes or indexes items without index keys, page by page', async () => {
  const { items, logs, clock, expired } = await world()
  const over = start / 1000 - 7200
  for (let at = 0; at < 30; at += 1) {
    await withoutIndex(logs, { pk: 'metrics#h', sk: `${at}`, ttl: over })
  }
  await withoutIndex(items, { pk: 'ticket#old', sk: '-', ttl: over })
  await withoutIndex(items, { pk: 'session#live', sk: '-', ttl: start / 1000 + 60 })
  await withoutIndex(items, { pk: 'lease#stack:web', sk: '-', rev: 5, until: 0 })
  await withoutIndex(items, { pk: 'stacks', sk: 'web', rev: 1 })
  const texts = storedTexts(items, { current: 'k', keys: { k: randomBytes(32) } }, clock)
  const digest = await texts.put('A=1')
  const {
    gsi1pk: _,
    gsi1sk: __,
    at: ___,
    ...head
  } = present(await items.get(`text#${digest}`, 'head'))
  await withoutIndex(items, head)
  await expect.poll(() => storedTextMarks(items).list(undefined, 10)).toEqual([])

  let from: string | undefined
  do from = await expired.scanPage(from, start - hour)
  while (from !== undefined)
  expect(await keysOf(logs)).toEqual([])
  // The key of the digests stays: contents are found by it for as long as the store exists.
  expect(await keysOf(items)).toEqual([
    ...['content-key', 'lease#stack:web', 'session#live', 'stacks', `text#${digest}`],
  ])
  await expect
    .poll(() => storedTextMarks(items).list(undefined, 10))
    .toMatchObject([{ digest, storedAt: start, unusedSince: null }])
  expect(await texts.get(digest)).toBe('A=1')
  await untilIndexed(items, 500_000, ['session#live'])
  expect(await expired.removeHour(500_000, start + hour, 25)).toBe(1)
  expect((await items.get('lease#stack:web', '-'))?.ttl).toBeGreaterThan(start / 1000)
})

/**
 * Writes an item without index keys, as earlier versions did: `put` adds them only if there is a
 * `ttl`, which this sets afterwards.
 */
async function withoutIndex(table: Table, { ttl, ...item }: Parameters<Table['put']>[0]) {
  await table.put(item)
  if (ttl === undefined) return
  await table.update(item, { set: '#ttl = :ttl', if: 'attribute_exists(#pk)', values: { ttl } })
}
