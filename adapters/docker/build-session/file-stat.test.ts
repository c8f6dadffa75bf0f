import { expect, test } from 'vitest'
import { encodedStat } from './file-stat.ts'
import { fields, numbersOf, textsOf } from './protocol-buffers.ts'

const modeOf = (type: 'file' | 'directory' | 'symlink' | 'fifo', mode: number) =>
  numbersOf(encodedStat({ name: 'a', type, mode }), { mode: 2 }).mode

test.each([
  ['file', 0o644, 0o644],
  ['file', 0o4755, 0o755 + 2 ** 23],
  ['directory', 0o1777, 0o777 + 2 ** 31 + 2 ** 20],
  ['directory', 0o2750, 0o750 + 2 ** 31 + 2 ** 22],
  ['symlink', 0o777, 0o777 + 2 ** 27],
  ['fifo', 0o600, 0o600 + 2 ** 25],
] as const)('a %s with the mode %i has the bits of Go', (type, mode, expected) => {
  expect(modeOf(type, mode)).toBe(expected)
})

test('has sizes over 4 GiB, times before 1970, links and extended attributes', () => {
  const header = { name: 'd/ü', type: 'link', size: 2 ** 33, mtime: new Date(-1), linkname: 'd/a' }
  const pax = { 'SCHILY.xattr.security.capability': 'cap', mtime: '1.5' }
  const message = encodedStat({ ...header, type: 'link', pax })
  expect(numbersOf(message, { size: 5 })).toEqual({ size: 2 ** 33 })
  expect(numbersOf(message, { modified: 6 }).modified).toBe(2 ** 64 - 1_000_000)
  expect(textsOf(message, { path: 1, linkname: 7 })).toEqual({ path: 'd/ü', linkname: 'd/a' })
  const attributes = [...fields(message)].filter(([field]) => field === 10)
  expect(attributes.map(([, part]) => textsOf(part, { name: 1, value: 2 }))).toEqual([
    { name: 'security.capability', value: 'cap' },
  ])
})
