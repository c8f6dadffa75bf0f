import { expect, test } from 'vitest'
import { outputEnd } from './output-end.ts'

const shown = (secrets: string[], ...output: string[]) => {
  const end = outputEnd(secrets.map((one) => Buffer.from(one)))
  for (const text of output) end.add(text)
  return end.text()
}

test('returns the last 2000 characters', () => {
  expect(shown([], 'a'.repeat(3000), 'b'.repeat(1500))).toBe('a'.repeat(500) + 'b'.repeat(1500))
  expect(shown([])).toBe('')
})

test('hides a secret, also in several parts, without the spaces around it', () => {
  expect(shown(['token\n'], 'is to', 'ken; tok', 'en!')).toBe('is ***; ***!')
  expect(shown(['$& .*'], 'is $& .*, aa')).toBe('is ***, aa')
  expect(shown(['x'], 'axb')).toBe('a***b')
  expect(shown(['', '\n'], 'ab\n')).toBe('ab\n')
})

test('hides each longer line of a secret, and the longest secret first', () => {
  const key = '-----BEGIN\nfirst line\r\nabc\nsecond line\n'
  expect(shown([key], 'second line, first line, abc')).toBe('***, ***, abc')
  expect(shown(['pass', 'password'], 'password pass')).toBe('*** ***')
})

test('shows no rest of a secret that begins before the part that is kept', () => {
  const secret = Array.from({ length: 900 }, (_, index) => `${index}`).join('-')
  for (let after = 1990; after <= 2010; after += 1) {
    const text = shown([secret], 'x'.repeat(5000), secret, 'y'.repeat(after))
    expect(text.replaceAll(/[xy*]/g, '')).toBe('')
  }
})

test('shows nothing if there is too much to look for', () => {
  expect(shown(['x'.repeat(10_000), 'y'.repeat(10_000)], 'output')).toBe('')
  const lines = Array.from({ length: 3000 }, (_, index) => `l${index}`).join('\n')
  expect(shown([lines.slice(0, 16_000)], 'l1 l2999'.repeat(5000))).not.toBe('')
})
