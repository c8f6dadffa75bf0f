import { expect, test } from 'vitest'
import { chosenAfter } from './chosen.ts'

const shown = ['a', 'b', 'c', 'd', 'e']
const press = (chosen: string[], id: string, from?: string) =>
  chosenAfter(chosen, shown, { id, from })

test('a press adds a row, another one takes it away', () => {
  expect(press(['a'], 'c')).toEqual(['a', 'c'])
  expect(press(['a', 'c'], 'c')).toEqual(['a'])
})

test('a press with Shift adds or takes away all rows from the last one on', () => {
  expect(press(['b'], 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(press(['d'], 'b', 'd')).toEqual(['d', 'b', 'c'])
  expect(press(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['a'])
})

test('rows that a filter hides stay chosen, and are no end of a range', () => {
  expect(press(['hidden'], 'b', 'hidden')).toEqual(['hidden', 'b'])
})
