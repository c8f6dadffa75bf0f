import { expect, test } from 'vitest'
import type { Table } from '../../adapters/store/table.ts'
import { startOwnStore } from '../harness/own-store.ts'
import { paced } from '../harness/pace.ts'
import { soak } from './growth.ts'
import { growing } from './kinds.ts'

const limit = { timeout: paced(400_000) }

test('distinguishes a growing kind of rows from a stable one', () => {
  const before = { day: 10, counts: { ticket: 40, session: 5, audit: 100, lease: 10 } }
  const counts = { ticket: 44, session: 30, audit: 900, lease: 10, fresh: 20 }
  expect(growing(before, { day: 20, counts })).toEqual(['session: 5 → 30', 'fresh: 0 → 20'])
  expect(growing({ ...before, day: 2 }, { day: 4, counts })).toEqual([])
})

/** Adds two rows a day that no sweep removes, and two that expire. */
async function plant(items: Table, day: number, now: number) {
  for (const one of [1, 2]) {
    await items.put({ pk: `planted#${day}-${one}`, sk: '-' })
    await items.put({ pk: `ending#${day}-${one}`, sk: '-', ttl: now / 1000 + 60 })
  }
}

test('only kinds of rows that no sweep removes grow over the days', limit, async () => {
  const own = await startOwnStore()
  try {
    const options = { days: 6, samplesPerHour: 1, sampleEvery: 8 }
    const result = await soak(own, { ...options, beside: plant })
    expect(result.growing).toEqual(['planted: 6 → 12'])
    expect(result.warnings).toEqual([])
    expect(result.end.counts.ending ?? 0).toBeLessThan(4)
    expect(result.end.counts.ticket ?? 0).toBeLessThan(10)
    expect(result.end.counts.metrics ?? 0).toBeLessThan(40)
  } finally {
    await own.remove()
  }
})
