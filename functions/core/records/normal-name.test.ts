import { expect, test } from 'vitest'
import { normalName } from './normal-name.ts'

test('different spellings of a name have one normal form', () => {
  const spellings = ['Änna', ' änna ', 'ÄNNA', 'A\u0308nna', '\u3000änna\t', 'ä\uff4ena']
  expect(new Set(spellings.map(normalName))).toEqual(new Set(['änna']))
})

test('normalizing a normal form changes nothing', () => {
  const unstable: string[] = []
  for (let code = 0; code < 0x110000; code += 1) {
    const letter = String.fromCodePoint(code)
    for (const name of [letter, `a${letter}b`, `${letter}\u0301`]) {
      if (normalName(normalName(name)) !== normalName(name)) unstable.push(name)
    }
  }
  expect(unstable).toEqual([])
})
