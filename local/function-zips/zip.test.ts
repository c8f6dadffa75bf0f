import { expect, test } from 'vitest'
import { unzip } from '../harness/unzip.ts'
import { zip } from './zip.ts'

const files = [
  { path: 'main.js', content: Buffer.from('export const ä = 1\n'.repeat(1000)) },
  { path: 'node_modules/a/ü.node', content: Buffer.from([0, 1, 2, 255]) },
  { path: 'empty', content: Buffer.alloc(0) },
]

test('an archive has its files', () => {
  const found = unzip(zip(files))
  expect([...found.keys()]).toEqual(files.map(({ path }) => path))
  for (const { path, content } of files) expect(found.get(path)).toEqual(content)
})

test('the checksum of a file is that of the format', () => {
  // The check value of CRC-32 for these digits.
  const archive = zip([{ path: 'a', content: Buffer.from('123456789') }])
  expect(archive.readUInt32LE(14)).toBe(0xcbf43926)
})

test('the same files make the same archive', () => {
  expect(zip(files)).toEqual(zip(files))
})
