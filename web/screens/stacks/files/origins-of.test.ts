import { expect, test } from 'vitest'
import { originsOf } from './origins-of.ts'

test('variables are sorted by where they are from', () => {
  expect(
    originsOf([
      { name: 'A', origin: 'source', covers: false },
      { name: 'B', origin: 'service', covers: true },
      { name: 'C', origin: 'service', covers: false },
      { name: 'D', origin: 'service', covers: true, set: 'home' },
      { name: 'E', origin: 'source', covers: false, set: 'home' },
      { name: 'F', origin: 'shared', covers: false, set: 'home' },
      { name: 'G', origin: 'shared', covers: false, set: 'mail' },
      { name: 'H', origin: 'shared', covers: false, set: 'home' },
    ]),
  ).toEqual({
    covering: 'B, D',
    added: 'C',
    sets: [
      { set: 'home', names: 'F, H' },
      { set: 'mail', names: 'G' },
    ],
    coversSet: 'D, E',
  })
})

test('without a variable there is nothing to say', () => {
  expect(originsOf([])).toEqual({ covering: '', added: '', sets: [], coversSet: '' })
})
