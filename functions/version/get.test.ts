import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import get from './get.ts'

test('200: returns the version of the package and the formats of the store', async () => {
  const { status, json } = await call(get, { as: 'viewer' })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([status, json]).toEqual([
    200,
    { version, commit: null, store_format: { reads: 1, writes: 1 } },
  ])
})
