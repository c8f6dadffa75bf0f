import { expect, test } from 'vitest'
import { isReservedHostName, resolveHost } from './resolve-host.ts'

const hosts = [
  { id: 'local', name: 'warehouse' },
  { id: '019a0000-0000-7000-8000-000000000001', name: 'nas' },
  { id: '019a0000-0000-7000-8000-000000000002', name: 'Büro' },
]
const idOf = (text: string, among = hosts) => resolveHost(text, among)?.id

test('finds a host by id and by name, in any case and Unicode form', () => {
  expect(idOf('local')).toBe('local')
  expect(idOf('warehouse')).toBe('local')
  expect(idOf('NAS')).toBe('019a0000-0000-7000-8000-000000000001')
  expect(idOf(' nas ')).toBe('019a0000-0000-7000-8000-000000000001')
  expect(idOf('Bu\u0308ro')).toBe('019a0000-0000-7000-8000-000000000002')
})

test('finds nothing for a part of an id or name, or an empty text', () => {
  for (const text of ['019a0000', 'na', '', ' ']) expect(idOf(text)).toBeUndefined()
})

test('an id wins over the name of another host', () => {
  const odd = [
    { id: 'a', name: 'local' },
    { id: 'local', name: 'a' },
  ]
  expect(idOf('local', odd)).toBe('local')
  expect(idOf('a', odd)).toBe('a')
  expect(idOf('A', odd)).toBe('local')
})

test('a name as written wins over one that differs in case', () => {
  const alike = [
    { id: '1', name: 'nas' },
    { id: '2', name: 'NAS' },
  ]
  expect(idOf('NAS', alike)).toBe('2')
  expect(() => idOf('Nas', alike)).toThrow(
    'host Nas: several hosts have that name, use an id: 1, 2',
  )
})

test('400 lists the ids of an ambiguous name', () => {
  const same = [
    { id: '2', name: 'nas' },
    { id: '1', name: 'nas' },
  ]
  expect(() => idOf('nas', same)).toThrow(expect.objectContaining({ status: 400 }))
  expect(() => idOf('nas', same)).toThrow(/use an id: 1, 2$/)
})

test('names that mean something else are reserved', () => {
  const ids = ['019A0000-0000-7000-8000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  for (const name of ['all', 'ALL', ' all ', 'ａｌｌ', 'local', 'Local', ...ids]) {
    expect([name, isReservedHostName(name)]).toEqual([name, true])
  }
  for (const name of ['nas', 'all-in-one', 'locals', '019a0000', '019a0000-0000']) {
    expect([name, isReservedHostName(name)]).toEqual([name, false])
  }
  expect(isReservedHostName('Local', 'local')).toBe(false)
  expect(isReservedHostName('all', 'local')).toBe(true)
})
