import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { load } from './load.ts'
import { quantile, table, wrapped } from './numbers.ts'

test('counts every request that the server answered', async () => {
  let served = 0
  const port = await serve(() => {
    served++
    return [200, 'x'.repeat(300_000)]
  })
  const result = await load({ port, path: '/', connections: 4, seconds: 0.2 })
  expect(result.requests).toBe(served)
  expect(result.requests).toBeGreaterThan(4)
  expect(result.p99).toBeGreaterThanOrEqual(result.p50)
})

test('fails at the first response other than 200', async () => {
  const port = await serve(() => [401, '{"error":"no"}'])
  const result = load({ port, path: '/', connections: 1, seconds: 5 })
  await expect(result).rejects.toThrow('401')
})

test('computes quantiles and formats tables', () => {
  expect([0.5, 0.99].map((part) => quantile([3, 1, 2], part))).toEqual([2, 3])
  expect(table(['', 'ms'], [['a', '1']])).toBe('|  | ms |\n| --- | ---: |\n| a | 1 |')
})

test('wraps paragraphs at 100 columns, but not tables', () => {
  const text = `${'word '.repeat(30).trimEnd()}\n\n| ${'cell '.repeat(30)}|`
  expect(wrapped(text).split('\n')).toEqual([
    'word '.repeat(20).trimEnd(),
    'word '.repeat(10).trimEnd(),
    '',
    `| ${'cell '.repeat(30)}|`,
  ])
  expect(wrapped(wrapped(text))).toBe(wrapped(text))
})

async function serve(answer: () => [number, string]): Promise<number> {
  const server = createServer((_request, response) => {
    const [status, body] = answer()
    response.statusCode = status
    response.end(body)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
