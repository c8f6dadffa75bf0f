import { expect, test } from 'vitest'
import { newStoreFile } from '../harness/sqlite-store.ts'
import { killWriters } from '../store-kills/kill-writers.ts'

test('no acknowledged write is lost or in part after 24 kills, of two processes at a time', async () => {
  const found = await killWriters({ file: newStoreFile() }, { kills: 24, seed: 20_261_126 })
  expect(found.problems).toEqual([])
  expect(found.kills).toBe(24)
  expect(found.acknowledged).toBeGreaterThan(100)
})
