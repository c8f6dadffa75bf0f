import { expect, test } from 'vitest'
import type { VariableSet } from '../records/variable-set.ts'
import { changedSet, emptySet, type SetChange, variablesMax } from './variable-set.ts'

const ada = { id: 'u1', name: 'ada' }
const ben = { id: 'u2', name: 'ben' }
const set: VariableSet = {
  ...emptySet('home', 5),
  tags: ['lab'],
  variables: { A: { value: '1', savedBy: ada }, B: { value: '2', savedBy: ada } },
}

test.each<[what: string, change: SetChange, after: Partial<VariableSet>]>([
  ['nothing', {}, { changedAt: 5 }],
  ['the tags', { tags: ['office'] }, { tags: ['office'], changedAt: 5 }],
  ['the value that it has', { variables: { A: '1' } }, { changedAt: 5 }],
  ['one that it does not have is deleted', { variables: { C: null } }, { changedAt: 5 }],
  [
    'another value',
    { variables: { A: '3' } },
    { variables: { ...set.variables, A: { value: '3', savedBy: ben } }, changedAt: 9 },
  ],
  [
    'one more, and one less',
    { variables: { B: null, C: '' } },
    {
      variables: { A: { value: '1', savedBy: ada }, C: { value: '', savedBy: ben } },
      changedAt: 9,
    },
  ],
])('a change: %s', (_, change, after) => {
  expect(changedSet(set, change, ben, 9)).toEqual({ ...set, updatedAt: 9, ...after })
})

test('two changes in one millisecond are told apart', () => {
  const once = changedSet(set, { variables: { A: '3' } }, ben, 5)
  const twice = changedSet(once, { variables: { A: '4' } }, ben, 5)
  expect([set.changedAt, once.changedAt, twice.changedAt]).toEqual([5, 6, 7])
})

test('400: too many variables, or too large ones', () => {
  const names = Array.from({ length: variablesMax + 1 }, (_, at) => [`V${at}`, ''] as const)
  const many = { variables: Object.fromEntries(names) }
  expect(() => changedSet(emptySet('a', 1), many, ada, 1)).toThrow('more than 200 variables')
  const large = { variables: { A: 'x'.repeat(40_000), B: 'x'.repeat(40_000) } }
  expect(() => changedSet(emptySet('a', 1), large, ada, 1)).toThrow('larger than 64 KiB')
})
