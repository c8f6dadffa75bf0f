import { expect, test } from 'vitest'
import { dockerfileDials } from './dockerfile-dials.ts'
import { readDockerfile } from './read-dockerfile.ts'
import { whiteSpace } from './white-space.ts'

/** Every character. Half a surrogate pair is none: files are read as UTF-8. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

test('white space is what Go takes for it, over all characters', () => {
  const space = new RegExp(`^${whiteSpace}$`)
  const found = characters.filter((character) => space.test(character))
  // Go's unicode.IsSpace is this property of Unicode.
  expect(found).toEqual(characters.filter((character) => /\p{White_Space}/u.test(character)))
})

test.each([
  ['before the name', (space: string) => `#${space}syntax=stranger/x\nFROM a`],
  ['after the name', (space: string) => `#syntax${space}=stranger/x\nFROM a`],
  ['before the image', (space: string) => `#syntax=${space}stranger/x\nFROM a`],
  ['before JSON', (space: string) => `${space}{"\\u0073yntax":"stranger/x"}\nFROM a`],
  ['before JSON behind a line for the kernel', (space: string) => `#!x\n${space}{}\nFROM a`],
  ['behind the instruction', (space: string) => `FROM a\nFROM${space}10.0.0.5:5000/x`],
  ['between arguments', (space: string) => `ARG A=a\nARG B=b${space}A=10.0.0.5/x\nFROM $A`],
])('a space of any kind %s hides nothing', (_, textOf) => {
  const hidden = characters
    .filter((character) => /[^\S\n]|\u0085/.test(character))
    .filter((space) => !dockerfileDials(readDockerfile(textOf(space)), {}, []).problem)
    .map((space) => space.charCodeAt(0).toString(16))
  expect(hidden).toEqual([])
})
