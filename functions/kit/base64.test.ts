import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import fc from '../../local/harness/properties.ts'
import { Base64, decodeField } from './base64.ts'
import { findInvalidKey } from './json-keys.ts'

const decoded = (text: string) => {
  const body = Buffer.from(text)
  const bytes = decodeField(body, 'data')
  // A body that is not decoded must be left unchanged.
  if (bytes === undefined) expect(body.toString()).toBe(text)
  return bytes
}

test.each([0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000])('decodes %i bytes in place', (size) => {
  const bytes = randomBytes(size)
  const text = bytes.toString('base64')
  const sent = Buffer.from(`\n{ "data" : "${text}" }\r\n`)
  const found = decodeField(sent, 'data')
  expect(found?.equals(bytes)).toBe(true)
  expect(found?.buffer).toBe(sent.buffer)
  expect(Base64.parse(text)).toEqual(bytes)
})

test.each([
  ['another field', '{"date":"AAAA"}'],
  ['two fields', '{"data":"AAAA","data":"AAAA"}'],
  ['trailing data', '{"data":"AAAA"} {}'],
  ['an escape', '{"data":"AA\\/A"}'],
  ['an escaped quote', '{"data":"AAAA\\"}'],
  ['a number', '{"data":4}'],
  ['a list', '["AAAA"]'],
  ['no end', '{"data":"AAAA'],
  ['characters outside the alphabet', '{"data":"AA-_"}'],
  ['a space in the middle', '{"data":"AA AA"}'],
  ['too few characters', '{"data":"AAAAA"}'],
  ['padding in the middle', '{"data":"A===AAAA"}'],
  ['padding at the end of a slice', `{"data":"${'A'.repeat(65_535)}=AAAA"}`],
  ['a long tail', `{"data":"AAAA"${' '.repeat(100)}}`],
])('leaves a body with %s unchanged', (_name, text) => {
  expect(decoded(text)).toBeUndefined()
})

test.each(['A', 'AAA', 'AA AA', 'AA*A', 'AAAA=', 'AAAA\n'])('%j is not base64', (text) => {
  expect(Base64.safeParse(text).success).toBe(false)
})

const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n', '\v', '\f', '\u00a0', '\ufeff')
const bodies = fc
  .tuple(
    ...[space, space, space, space, space],
    fc.constantFrom('data', 'date', 'd\\u0061ta'),
    fc.constantFrom('', 'AAAA', 'AA==', 'AA\\u0041A', 'AA\\/A', 'AA/A', 'A', 'AAAA=', 'ä'),
    fc.constantFrom('', ',', ',"data":"AAAA"', ',"__proto__":{}', '}', '\u0000'),
  )
  .map(([a, b, c, d, e, name, text, more]) => `${a}{${b}"${name}"${c}:"${text}"${d}${more}}${e}`)

test('reads what the JSON parser reads, or leaves the body to it', () => {
  fc.assert(
    fc.property(bodies, fc.constantFrom('utf8', 'utf16le', 'latin1'), (text, encoding) => {
      const sent = Buffer.from(text, encoding)
      const whole = sent.toString('utf8')
      const found = decodeField(Buffer.from(sent), 'data')
      if (found === undefined) return
      expect(findInvalidKey(whole)).toBeUndefined()
      expect(JSON.parse(whole)).toEqual({ data: found.toString('base64') })
    }),
    { numRuns: 5000 },
  )
})
