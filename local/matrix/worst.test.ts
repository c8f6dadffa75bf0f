import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  builtinRoles,
  type Permission,
  permissions,
} from '../../functions/core/records/permissions.ts'
import { pathExists } from '../documents/pages.ts'
import { nothing } from './worst/judgement.ts'
import { judgedWays, judgements, routeNames, unmatched, worstOf } from './worst/reach.ts'
import { withWorstTable } from './worst/table.ts'

const ways = await judgedWays()
const role = (name: string) => builtinRoles[name] as Permission[]
const worst = (held: readonly Permission[], how = {}) => worstOf(held, ways, how).worst

test('every route and feed is judged, and nothing else', () => {
  expect(unmatched(routeNames, judgements)).toEqual([])
})

test('finds a route that is not judged, and a judgement without a route', () => {
  expect(unmatched(['POST /new'], { 'GET /gone': nothing('is gone') })).toEqual([
    'POST /new is not judged',
    'GET /gone is judged and does not exist',
  ])
})

test('every guard that a judgement names exists', () => {
  const guards = ways.flatMap(({ guard }) => guard ?? [])
  expect(guards.filter((guard) => !pathExists(guard))).toEqual([])
})

test('a further permission is not the one that the route declares, unless it needs all', () => {
  const twice = ways.filter(
    ({ needs }) => new Set(needs).size < needs.length && needs.length <= permissions.length,
  )
  expect(twice.map(({ route }) => route)).toEqual([])
})

test('viewers reach nothing, operators neither the service nor a host', () => {
  for (const how of [{}, { withOthers: true }]) {
    expect([worst(role('viewer'), how), worst(role('operator'), how)]).toEqual(['nothing', 'data'])
  }
})

test('admins reach everything', () => {
  expect(worst(role('admin'))).toBe('admin')
})

test('no permission alone leads to more than data, but users:manage if others act', () => {
  const alone = permissions.filter((one) => ['root', 'admin'].includes(worst([one])))
  expect(alone).toEqual([])
  const withOthers = { withOthers: true }
  const later = permissions.filter((one) => ['root', 'admin'].includes(worst([one], withOthers)))
  expect(later).toEqual(['users:manage'])
})

test('docs/reference/rights.md has the current table (update with npm run attributes)', () => {
  const text = readFileSync(new URL('../../docs/reference/rights.md', import.meta.url), 'utf8')
  expect(text).toBe(withWorstTable(text, ways))
})

test('rejects a document without the markers of the table', () => {
  expect(() => withWorstTable('# Security', ways)).toThrow('<!-- alone -->')
})
