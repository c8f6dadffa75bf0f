import { expect, test } from 'vitest'
import { rowFilter } from './filter-rows.ts'

const rows = [
  { name: 'shop-web', status: 'running', tags: ['eu', 'lab'], labels: { 'a.b': 'x' }, size: 12 },
  { name: 'shop-db', status: 'exited (1)', tags: [], labels: {}, size: 7 },
  { name: 'blog', status: 'Running', tags: ['us'], labels: {}, size: 120 },
]
const kept = (...filters: string[]) => rowFilter(filters)(rows).map(({ name }) => name)

test.each([
  [['name=blog'], ['blog']],
  [['name=shop-*'], ['shop-web', 'shop-db']],
  [['name!=shop-*'], ['blog']],
  [['status=running'], ['shop-web', 'blog']],
  [['status=exited (1)'], ['shop-db']],
  [
    ['name=blog', 'name=shop-db'],
    ['shop-db', 'blog'],
  ],
  [['name=shop-*', 'status=running'], ['shop-web']],
  [['name=shop-*', 'name!=*db'], ['shop-web']],
  [['tags=lab'], ['shop-web']],
  [['tags!=lab'], ['shop-db', 'blog']],
  [['labels.a.b=x'], ['shop-web']],
  [['size=12'], ['shop-web']],
  [['name=*'], ['shop-web', 'shop-db', 'blog']],
  [['name=.*'], []],
  [['name='], []],
])('%j keeps %j', (filters, names) => expect(kept(...filters)).toEqual(names))

test('keeps the hosts that could not be reached', () => {
  const unreachable_hosts = [{ host_id: 'nas', error: 'offline' }]
  expect(rowFilter(['name=blog'])({ items: rows, unreachable_hosts })).toEqual({
    items: [rows[2]],
    unreachable_hosts,
  })
})

test('2: a filter is no filter, or names no field', () => {
  expect(() => rowFilter(['blog'])).toThrow(expect.objectContaining({ exitCode: 2 }))
  const wrong = { exitCode: 2, hint: 'the fields are name, status, tags, labels, size' }
  expect(() => kept('nam=blog')).toThrow(expect.objectContaining(wrong))
  expect(rowFilter(['nam=blog'])([])).toEqual([])
})

test('a hostile pattern takes no time', () => {
  const before = process.cpuUsage().user
  const long = [{ name: 'a'.repeat(5000) }]
  expect(rowFilter([`name=${'*a'.repeat(12)}b`])(long)).toEqual([])
  expect(process.cpuUsage().user - before).toBeLessThan(2_000_000)
})
