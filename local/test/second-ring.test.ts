import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { secondRing, secondRingTable } from './second-ring.mjs'

test('docs/contributing/second-ring.md has the list of what the second ring repeats', () => {
  const text = readFileSync('docs/contributing/second-ring.md', 'utf8')
  const [, table = ''] = /<!-- second ring -->\n\n([\s\S]*?)\n\n<!-- end/.exec(text) ?? []
  expect(table).toBe(secondRingTable())
})

test('every file of the second ring exists', () => {
  const missing = secondRing.filter(({ file }) => file.includes('/') && !existsSync(file))
  expect(missing).toEqual([])
})
