import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

test.each([
  ['deply', ['delete', 'deploy', 'deployments'], 'deploy'],
  ['depoly', ['delete', 'deploy'], 'deploy'],
  ['SHOP', ['shop', 'shops'], 'shop'],
  ['postg', ['postgres', 'redis'], 'postgres'],
  ['shp', ['shop', 'blog'], 'shop'],
  ['ab', ['abc', 'xyz'], 'abc'],
  ['a', ['b'], undefined],
  ['x', ['shop', 'blog'], undefined],
  ['', ['shop'], undefined],
  ['shop', ['shop'], undefined],
  ['start', ['stop', 'status'], undefined],
])('%j among %j is %j', (text, candidates, expected) => {
  expect(nearest(text, candidates)).toBe(expected)
})

test('a long text among many names is compared quickly', () => {
  const names = Array.from({ length: 1000 }, (_, at) => `${'x'.repeat(200)}${at}`)
  const before = process.cpuUsage().user
  expect(nearest(`${'x'.repeat(200)}7q`, names)).toMatch(/^x+\d+$/)
  expect(process.cpuUsage().user - before).toBeLessThan(5_000_000)
})
