import { expect, test } from 'vitest'
import { boundResult } from './bound-result.ts'

const lines = (count: number, length: number) =>
  Array.from({ length: count }, () => 'é'.repeat(length))

test('keeps a result that is not too large', () => {
  const result = { ok: true, problems: lines(100, 500) }
  expect(boundResult(result)).toEqual({ result, isResultCut: false })
})

test('cuts the lists of a result that is too large, and keeps the rest', () => {
  const { result, isResultCut } = boundResult({
    ok: false,
    problems: lines(1000, 500),
    warnings: ['one'],
  })
  expect(isResultCut).toBe(true)
  expect(result).toMatchObject({ ok: false, warnings: ['one'] })
  expect(result?.problems).toHaveLength(125)
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(128 * 1024)
})

test('leaves out a result that is too large without its lists', () => {
  const large = { text: 'x'.repeat(200_000), list: [1] }
  expect(boundResult(large)).toEqual({ result: null, isResultCut: true })
})
