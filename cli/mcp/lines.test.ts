import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function linesIn(chunks: (string | Buffer)[], max?: number) {
  const input = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  const lines: (string | undefined)[] = []
  for await (const line of linesOf(input, max)) lines.push(line)
  return lines
}

test('returns lines however they are cut into chunks, also a last one without an end', async () => {
  expect(await linesIn(['a\nb', 'c\n\n', 'd'])).toEqual(['a', 'bc', '', 'd'])
  expect(await linesIn([])).toEqual([])
})

test('keeps a letter whose bytes are in two chunks', async () => {
  const [first, second] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)]
  expect(await linesIn([first, second])).toEqual(['é'])
})

test('says that a line is too long, and goes on with the next one', async () => {
  expect(await linesIn(['12345', '6\nok\n', '1234567'], 5)).toEqual([undefined, 'ok', undefined])
  expect(await linesIn(['12345\n'], 5)).toEqual(['12345'])
})
