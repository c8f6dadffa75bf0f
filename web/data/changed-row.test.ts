import { expect, test } from 'vitest'
import { asHostId, localHostId } from '../host-ids.ts'
import type { components } from './api.types.ts'
import { rowChangedBy, withContainer } from './changed-row.ts'
import type { ServiceEvent } from './event-table.ts'

type Container = components['schemas']['Container']

const died: ServiceEvent = {
  id: 'e1',
  kind: 'container.die',
  host_id: localHostId,
  details: {},
  subject: { kind: 'container', id: 'c1', name: 'web' },
}
const list = { path: '/containers', params: { host: 'all', all: true } }

test('one row changes when a container starts or ends, in the list of all', () => {
  expect(rowChangedBy(died, list)?.key).toBe('local/c1')
  for (const kind of ['container.start', 'container.health_status: healthy']) {
    expect(rowChangedBy({ ...died, kind }, list)).toBeDefined()
  }
})

test('returns undefined if a container is created, removed or renamed, and for other lists', () => {
  for (const kind of ['container.create', 'container.destroy', 'container.rename', 'host.online']) {
    expect(rowChangedBy({ ...died, kind }, list)).toBeUndefined()
  }
  expect(rowChangedBy({ ...died, host_id: null }, list)).toBeUndefined()
  expect(rowChangedBy({ ...died, subject: null }, list)).toBeUndefined()
  expect(rowChangedBy(died, { ...list, path: '/stacks' })).toBeUndefined()
  expect(rowChangedBy(died, { ...list, params: { host: 'all' } })).toBeUndefined()
})

test('a row takes the fields of the details that it has, and no others', () => {
  const row = (id: string, more = {}) =>
    ({ id, host_id: localHostId, image: id, ...more }) as Container
  const rows = [row('c1', { state: 'running' }), row('c2')]
  const newer = { ...row('c1', { state: 'exited' }), image: 'nginx', env: ['A'] } as Container
  const [first, second] = withContainer(rows, newer) as Container[]
  expect(first).toEqual(row('c1', { state: 'exited' }))
  expect(second).toBe(rows[1])
  const of = { items: rows, unreachable_hosts: [] }
  expect(withContainer(of, newer)).toMatchObject({ items: [{ state: 'exited' }, {}] })
  expect(() => withContainer(rows, { ...newer, host_id: asHostId('nas') })).toThrow(
    'no such container',
  )
})
