import { expect, test } from 'vitest'
import { startOwnStore } from '../harness/own-store.ts'
import { soak } from './growth.ts'
import { growing } from './kinds.ts'

test('a kind of rows that grows is told from one that does not', () => {
  const before = { day: 10, counts: { ticket: 40, session: 5, audit: 100, lease: 10 } }
  const counts = { ticket: 44, session: 30, audit: 900, lease: 10, fresh: 20 }
  expect(growing(before, { day: 20, counts })).toEqual(['session: 5 → 30', 'fresh: 0 → 20'])
  expect(growing({ ...before, day: 2 }, { day: 4, counts })).toEqual([])
})

test('no kind of rows grows without a bound while days pass', { timeout: 400_000 }, async () => {
  const own = await startOwnStore()
  try {
    const result = await soak(own, { days: 6, samplesPerHour: 1, sampleEvery: 8 })
    expect(result.growing).toEqual([])
    expect(result.warnings).toEqual([])
    expect(result.end.counts.ticket ?? 0).toBeLessThan(10)
    expect(result.end.counts.metrics ?? 0).toBeLessThan(40)
  } finally {
    await own.remove()
  }
})
