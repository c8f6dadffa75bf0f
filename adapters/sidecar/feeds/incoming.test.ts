import { expect, test } from 'vitest'
import { incomingQueue } from './incoming.ts'

test('empty messages count too', () => {
  const queue = incomingQueue(() => {})
  for (let count = 0; count < 1_000; count += 1) queue.push(new Uint8Array(0))
  expect(queue.size).toBeGreaterThan(64 * 1024)
})

test('a text counts with its bytes', () => {
  const [letters, signs] = [incomingQueue(() => {}), incomingQueue(() => {})]
  letters.push('eee')
  signs.push('€€€')
  expect(signs.size - letters.size).toBe(6)
})

test('the size is 0 once everything was read, in order', async () => {
  const sizes: number[] = []
  const queue = incomingQueue(() => sizes.push(queue.size))
  queue.push('a')
  queue.push(new Uint8Array([1, 2]))
  queue.end()
  const read = []
  for await (const message of queue) read.push(message)
  expect(read).toEqual(['a', new Uint8Array([1, 2])])
  expect(sizes.at(-1)).toBe(0)
})
