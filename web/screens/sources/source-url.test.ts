import { expect, test } from 'vitest'
import { nameIn, placeOf, shortRevision } from './source-url.ts'

test.each([
  ['oci://registry.example.org/team/shop', 'oci', false],
  [' OCI://registry.example.org/team/shop', 'oci', false],
  ['https://forge.example.org/ada/estate.git', 'git', false],
  ['https://ada@forge.example.org/ada/estate.git', 'git', false],
  ['git@forge.example.org:ada/estate.git', 'git', true],
  ['ssh://git@forge.example.org:2222/ada/estate.git', 'git', true],
  ['forge.example.org/ada', 'git', false],
  ['', 'git', false],
])('%j is of the kind %s (ssh: %s)', (url, kind, isSsh) => {
  expect(placeOf(url)).toEqual({ kind, isSsh })
})

test.each([
  ['https://forge.example.org/ada/Estate.git', 'estate'],
  ['git@forge.example.org:estate', 'estate'],
  ['oci://registry.example.org/team/my.shop', 'my-shop'],
  ['https://forge.example.org/ada/', ''],
  [`https://forge.example.org/${'a'.repeat(80)}`, 'a'.repeat(63)],
])('the name in %j is %j', (url, name) => {
  expect(nameIn(url)).toBe(name)
})

test('a revision is short, with or without its algorithm', () => {
  expect(shortRevision(`sha256:${'1a'.repeat(32)}`)).toBe('1a1a1a1a1a1a')
  expect(shortRevision('0123456789abcdef')).toBe('0123456789ab')
})
