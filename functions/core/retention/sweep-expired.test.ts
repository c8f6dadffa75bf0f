import { expect, test } from 'vitest'
import type { ExpiredItems } from '../ports/expired-items.ts'
import { firstState, hourMs } from '../records/retention-state.ts'
import { isScanDue, scanStore, sweepExpired } from './sweep-expired.ts'

const never = new AbortController().signal

/**
 * A store with items that expire at these times, and a sweep that starts at `now`. One step removes
 * `most` items at most.
 */
function world(expiries: number[], now: number, most = Number.POSITIVE_INFINITY) {
  let items = [...expiries]
  let asked: number[] = []
  const clock = { now: () => now, monotonic: () => performance.now(), sleep: async () => {} }
  const expiredItems: ExpiredItems = {
    async removeHour(hour, before, limit) {
      asked.push(hour)
      const due = items.filter((at) => Math.floor(at / hourMs) === hour && at <= before)
      const gone = due.slice(0, Math.min(limit, most))
      items = items.filter((at) => !gone.includes(at))
      return gone.length
    },
    removeDeliveries: async () => 0,
    scanPage: async () => undefined,
  }
  let state = firstState({ at: now, owed: 0 })
  const sweepAt = async (at: number, signal = never) => {
    now = at
    asked = []
    state = await sweepExpired(state, { clock, expiredItems }, signal)
    return asked
  }
  return { sweepAt, items: () => items, state: () => state, add: (at: number) => items.push(at) }
}

const start = 500_000 * hourMs

test('removes an item an hour after it expires, not before', async () => {
  const { sweepAt, items } = world([start + 1000], start)
  await sweepAt(start + hourMs)
  expect(items()).toHaveLength(1)
  await sweepAt(start + hourMs + 1000)
  expect(items()).toHaveLength(0)
})

test('a short step does not end the sweep', async () => {
  const expiries = Array.from({ length: 60 }, (_, index) => start + index)
  const { sweepAt, items } = world(expiries, start, 10)
  await sweepAt(start + 2 * hourMs)
  expect(items()).toEqual([])
})

test('sweeps every hour since the last sweep, and the latest ones again', async () => {
  const { sweepAt } = world([], start)
  await sweepAt(start + 3 * hourMs)
  const hours = await sweepAt(start + 6 * hourMs)
  expect(hours).toEqual([500_000, 500_001, 500_002, 500_003, 500_004, 500_005])
  expect(await sweepAt(start + 6 * hourMs + 60_000)).toEqual([500_003, 500_004, 500_005])
})

test('removes a day later what a process with a slow clock wrote into a past hour', async () => {
  const { sweepAt, items, add } = world([], start)
  await sweepAt(start + 24 * hourMs)
  add(start + 5 * hourMs)
  await sweepAt(start + 25 * hourMs)
  expect(items()).toHaveLength(1)
  await sweepAt(start + 49 * hourMs)
  expect(items()).toHaveLength(0)
})

test('checks past hours daily, even after a clock that was a year ahead is set back', async () => {
  const { sweepAt, items, add } = world([], start)
  await sweepAt(start + 365 * 24 * hourMs)
  add(start + 20 * hourMs)
  await sweepAt(start + 48 * hourMs)
  expect(items()).toEqual([])
})

test('removes a limited number per run, and the next run continues', async () => {
  const { sweepAt, items } = world(
    Array.from({ length: 12_000 }, (_, index) => start + index / 10),
    start,
  )
  const left: number[] = []
  for (let run = 0; run < 3; run += 1) {
    await sweepAt(start + 4 * hourMs + run * 60_000)
    left.push(items().length)
  }
  expect(left).toEqual([7000, 2000, 0])
})

test('an aborted sweep continues where it stopped', async () => {
  const { sweepAt, items, state } = world([start], start)
  const stop = new AbortController()
  stop.abort()
  const { sweptTo } = state()
  await sweepAt(start + 9 * hourMs, stop.signal)
  expect(state().sweptTo).toBeLessThanOrEqual(sweptTo)
  await sweepAt(start + 9 * hourMs)
  expect(items()).toEqual([])
})

/** A store of this many pages. Each call scans once. */
function scanned(pages: number) {
  let now = start
  let state = firstState({ at: now, owed: 0 })
  const read: number[] = []
  const clock = { now: () => now, monotonic: () => performance.now(), sleep: async () => {} }
  const expiredItems: ExpiredItems = {
    removeHour: async () => 0,
    removeDeliveries: async () => 0,
    async scanPage(from) {
      const page = Number(from ?? 0)
      read.push(page)
      return page + 1 < pages ? String(page + 1) : undefined
    },
  }
  const run = async (at: number) => {
    now = at
    read.length = 0
    if (isScanDue(state, now)) state = await scanStore(state, { clock, expiredItems }, never)
    return [...read]
  }
  return run
}

test('a scan continues where the last run ended and starts again after a week', async () => {
  const run = scanned(150)
  expect((await run(start)).at(-1)).toBe(99)
  expect(await run(start + 60_000)).toEqual(Array.from({ length: 50 }, (_, at) => at + 100))
  const week = 7 * 24 * hourMs
  expect(await run(start + week - 60_000)).toEqual([])
  expect((await run(start + week + 60_000))[0]).toBe(0)
})
