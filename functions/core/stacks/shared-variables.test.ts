import { expect, test } from 'vitest'
import type { VariableSet } from '../records/variable-set.ts'
import {
  hasChanged,
  isReserved,
  mergeSets,
  namePattern,
  setNames,
  valuesOf,
} from './shared-variables.ts'

const ada = { id: 'u1', name: 'ada' }
const ben = { id: 'u2', name: 'ben' }

const set = (id: string, variables: VariableSet['variables'], changedAt = 1): VariableSet => ({
  id,
  tags: [],
  variables,
  createdAt: 1,
  updatedAt: 1,
  changedAt,
})
const of = (value: string, savedBy = ada) => ({ value, savedBy })

test.each<[name: string, isGood: boolean]>([
  ['TZ', true],
  ['_x9', true],
  ['constructor', true],
  ['HOMEPAGE', true],
  ['MY_DOCKER_HOST', true],
  ['', false],
  ['9A', false],
  ['A-B', false],
  ['A B', false],
  ['Ä', false],
  ['COMPOSE_PROFILES', false],
  ['COMPOSE_PROJECT_NAME', false],
  ['DOCKER_HOST', false],
  ['HOME', false],
  ['PATH', false],
  ['PWD', false],
])('%j can be a name: %s', (name, isGood) => {
  expect(namePattern.test(name) && !isReserved(name)).toBe(isGood)
})

test.each<[what: string, sets: VariableSet[], values: object, origins: object]>([
  ['one set', [set('a', { A: of('1') })], { A: '1' }, { A: 'a' }],
  ['an empty set', [set('a', {})], {}, {}],
  [
    'a later set over an earlier one',
    [set('a', { A: of('1'), B: of('2') }), set('b', { B: of('3'), C: of('4') })],
    { A: '1', B: '3', C: '4' },
    { A: 'a', B: 'b', C: 'b' },
  ],
  [
    'values as they are',
    [set('a', { A: of("it's $B # x\n"), constructor: of('') })],
    { A: "it's $B # x\n", constructor: '' },
    { A: 'a', constructor: 'a' },
  ],
])('takes %s', (_, sets, values, origins) => {
  const merged = mergeSets(sets)
  expect(merged && valuesOf(merged)).toEqual(values)
  const from = Object.entries(merged?.variables ?? {}).map(([name, one]) => [name, one.set])
  expect(Object.fromEntries(from)).toEqual(origins)
  expect(setNames(merged)).toEqual(sets.map(({ id }) => id))
})

test('takes nothing of no set', () => {
  expect(mergeSets([])).toBeUndefined()
  expect(setNames(undefined)).toEqual([])
})

test('names each account that wrote a value once', () => {
  const variables = { A: of('1', ada), B: of('2', ben), C: of('3', ada) }
  expect(mergeSets([set('a', variables, 7)])?.sets).toEqual([
    { name: 'a', changedAt: 7, savedBy: [ada, ben] },
  ])
})

test.each<[what: string, now: [string, number][], isChanged: boolean]>([
  [
    'the same',
    [
      ['a', 7],
      ['b', 1],
    ],
    false,
  ],
  ['a changed set', [['a', 8]], true],
  ['a set that was deleted', [['b', 7]], true],
])('%s', (_, now, isChanged) => {
  const taken = [{ name: 'a', changedAt: 7, savedBy: [ada] }]
  expect(hasChanged(taken, new Map(now))).toBe(isChanged)
})
