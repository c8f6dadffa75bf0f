import { expect, test } from 'vitest'
import { bounded } from './bounded.ts'

const rows = Array.from({ length: 10 }, (_, number) => ({ number }))

test('keeps a value that fits', () => {
  expect(bounded(rows, 'start')).toEqual({ data: rows, cut: [] })
})

test('keeps the first entries of a list, and says how many', () => {
  expect(bounded(rows, 'start', 40)).toEqual({
    data: rows.slice(0, 3),
    cut: [expect.stringContaining('the first 3 of 10 entries')],
  })
})

test('cuts the list of several hosts, and keeps the hosts that did not answer', () => {
  const unreachable_hosts = [{ host_id: 'nas' }]
  const { data, cut } = bounded({ items: rows, unreachable_hosts }, 'start', 40)
  expect(data).toEqual({ items: rows.slice(0, 3), unreachable_hosts })
  expect(cut).toHaveLength(1)
})

test('keeps the last entries of a log, in their order', () => {
  expect(bounded(rows, 'end', 40)).toEqual({
    data: rows.slice(-3),
    cut: [expect.stringContaining('the last 3 of 10 entries')],
  })
})

test.each([
  ['an object', { text: 'x'.repeat(100) }],
  ['a list whose first entry is too long', [{ text: 'x'.repeat(100) }]],
])('keeps the beginning of %s as a text', (_, value) => {
  const { data, cut } = bounded(value, 'start', 20)
  expect(data).toBe('{"text":"xxxxxxxxxxx')
  expect(cut).toEqual([expect.stringContaining('the first 20 of 111 letters')])
})
