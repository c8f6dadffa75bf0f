import { describe, expect, test } from 'vitest'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { testAddress, testClient } from '../harness/dynamo-table.ts'
import { paced } from '../harness/pace.ts'
import { killWriters } from './kill-writers.ts'

/** `npm test -- contract` chooses how many. */
const chosen = process.env.TEST_KILLS
const kills = Number(chosen ?? 6)
const seed = Number(process.env.STORE_SEED ?? 20_261_126)

describe('stores in DynamoDB', () => {
  test(`no acknowledged write is lost or in part after ${kills} kills of processes`, {
    timeout: paced(120_000 + kills * 10_000),
  }, async () => {
    const address = testAddress()
    await ensureTable(testClient(address))
    const start = performance.now()
    const { problems, ...counts } = await killWriters(address, { kills, seed })
    expect(problems, `STORE_SEED=${seed}`).toEqual([])
    expect(counts.kills).toBe(kills)
    expect(counts.acknowledged).toBeGreaterThan(kills)
    if (chosen === undefined) return
    const seconds = Math.round((performance.now() - start) / 1000)
    console.log(
      `${kills} kills in ${seconds} s: all ${counts.acknowledged} acknowledged writes are there, ` +
        `and the ${counts.things} things are whole`,
    )
  })
})
