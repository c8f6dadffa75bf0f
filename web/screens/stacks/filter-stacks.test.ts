import { expect, test } from 'vitest'
import { asHostId, asHostName } from '../../host-ids.ts'
import { matchesFilter } from './filter-stacks.ts'
import type { Stack } from './stack-columns.tsx'

const stack = {
  name: 'web-shop',
  host: asHostId('h1'),
  status: 'partial',
  services: { total: 2, running: 1, unhealthy: 0 },
  operation: null,
  revision: 2,
  deployed_revision: 1,
} as Stack
const beside = { hostName: asHostName('nas'), newer: new Map([['web-shop', 1]]) }
const any = { text: '', state: '', host: '' }

test('without a filter everything passes', () => {
  expect(matchesFilter(stack, beside, any)).toBe(true)
})

test.each([
  [{ text: 'Shop' }, true],
  [{ text: 'shop nas' }, true],
  [{ text: 'shop moon' }, false],
  [{ state: 'partial' }, true],
  [{ state: 'running' }, false],
  [{ state: 'wrong' }, true],
  [{ state: 'changed' }, true],
  [{ state: 'newer' }, true],
  [{ host: 'h1' }, true],
  [{ host: 'nas' }, true],
  [{ host: 'h2' }, false],
])('%o: %s', (filter, expected) => {
  expect(matchesFilter(stack, beside, { ...any, ...filter })).toBe(expected)
})

test('a stack whose images are all current is not among those with a newer one', () => {
  const other = { ...stack, name: 'blog' }
  expect(matchesFilter(other, beside, { ...any, state: 'newer' })).toBe(false)
})

test.each([
  { deployed_revision: 2 },
  { status: 'not_deployed', deployed_revision: null },
  { operation: 'deploy' },
] as Partial<Stack>[])('%o has no changes that are not deployed', (change) => {
  const changed = { ...stack, ...change }
  expect(matchesFilter(changed, beside, { ...any, state: 'changed' })).toBe(false)
})
