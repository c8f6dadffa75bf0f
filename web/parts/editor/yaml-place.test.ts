import { expect, test } from 'vitest'
import { keyAt, keysBelow, placeAt } from './yaml-place.ts'

/** Returns the place of `|` in a text. */
const at = (text: string) => placeAt(text.replace('|', ''), text.indexOf('|'))

test.each([
  ['|', [], true, false],
  ['services:\n  web:\n    im|', ['services', 'web'], true, false],
  ['services:\n  web:\n    image: ng|', ['services', 'web', 'image'], false, true],
  ['services:\n  web:\n    image: a\n    |', ['services', 'web'], true, false],
  ['services:\n  web:\n    image: a\n  |', ['services'], true, false],
  ['services:\n  web:\n    ports:\n      - |', ['services', 'web', 'ports', '-'], true, true],
  ['services:\n  web:\n    ports:\n    - |', ['services', 'web', 'ports', '-'], true, true],
  [
    'services:\n  web:\n    ports:\n      - target: 1\n        pub|',
    ['services', 'web', 'ports', '-'],
    true,
    false,
  ],
  ['services:\n  web: [broken\n    restart: |', ['services', 'web', 'restart'], false, true],
  ['# services\n\nservices:\n\n  # one\n  web:\n    |', ['services', 'web'], true, false],
])('finds the place in %j', (text, path, mayBeKey, mayBeValue) => {
  expect(at(text)).toMatchObject({ path, mayBeKey, mayBeValue })
})

test('returns the typed start of a word and its offset', () => {
  expect(at('services:\n  web:\n    restart: un|')).toMatchObject({ word: 'un', from: 30 })
  expect(at('services:\n  we|')).toMatchObject({ word: 'we', from: 12 })
})

test('a comment and a block of text are no place', () => {
  expect(at('services: # wo|')).toBeUndefined()
  expect(at('services:\n  web:\n    command: |-\n      ec|'.replace('|', '>'))).toBeUndefined()
})

test('finds the key under the pointer', () => {
  const text = 'services:\n  web:\n    build:\n      - a: 1\n    restart: always\n'
  expect(keyAt(text, text.indexOf('restart') + 3)).toMatchObject({
    path: ['services', 'web', 'restart'],
    from: text.indexOf('restart'),
    to: text.indexOf(': always'),
  })
  expect(keyAt(text, text.indexOf('a: 1'))?.path).toEqual(['services', 'web', 'build', '-', 'a'])
  expect(keyAt(text, text.indexOf('always'))).toBeUndefined()
})

test('finds the names below a key', () => {
  const text = 'services:\n  web:\n    image: a\n  db:\n    image: b\nvolumes:\n  data:\n'
  expect(keysBelow(text, ['services'])).toEqual(['web', 'db'])
  expect(keysBelow(text, ['services', 'web'])).toEqual(['image'])
  expect(keysBelow(text, [])).toEqual(['services', 'volumes'])
})
