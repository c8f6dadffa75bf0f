import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { localHostId } from '../host-ids.ts'
import { isOutdatedBy, pathsOfEvents, type ServiceEvent } from './event-table.ts'

const event = (kind: string, more: Partial<ServiceEvent> = {}): ServiceEvent => ({
  id: 'e1',
  host_id: localHostId,
  subject: null,
  details: {},
  ...more,
  kind,
})
const at = (path: string, params = {}) => ({ path, params })
const web = { kind: 'container', id: 'c1', name: 'shop-web-1' }

test('a container changes itself, its stack, and the lists', () => {
  const died = event('container.die', { subject: web, details: { stack: 'shop' } })
  expect(isOutdatedBy(died, at('/containers'))).toBe(true)
  expect(isOutdatedBy(died, at('/containers/{id}', { id: 'c1' }))).toBe(true)
  expect(isOutdatedBy(died, at('/containers/{id}', { id: 'c2' }))).toBe(false)
  expect(isOutdatedBy(died, at('/stacks/{name}/status', { name: 'shop' }))).toBe(true)
  expect(isOutdatedBy(died, at('/stacks/{name}/status', { name: 'blog' }))).toBe(false)
  expect(isOutdatedBy(died, at('/audit'))).toBe(false)
})

test('a step of a deployment changes its stack and its deployments alone', () => {
  const subject = { kind: 'stack', id: 'shop', name: 'shop' }
  const step = event('stack.deploy.step', { subject })
  expect(isOutdatedBy(step, at('/stacks/{name}/deployments', { name: 'shop' }))).toBe(true)
  expect(isOutdatedBy(step, at('/stacks/{name}/deployments', { name: 'blog' }))).toBe(false)
  expect(isOutdatedBy(step, at('/images'))).toBe(false)
})

test('what is newer changes with a look of the service and the end of a deployment', () => {
  const changed = (kind: string) => isOutdatedBy(event(kind), at('/updates', { host: 'all' }))
  expect(['image.outdated', 'stack.deploy.ended', 'stack.rollback.ended'].map(changed)).toEqual([
    true,
    true,
    true,
  ])
  expect(['image.pull', 'stack.deploy.step', 'container.die'].map(changed)).toEqual([
    false,
    false,
    false,
  ])
})

test('the policy of updates changes with itself, that of its stack alone', () => {
  const subject = { kind: 'stack', id: 'shop', name: 'shop' }
  const saved = event('stack.update-policy.update', { subject })
  const policy = '/stacks/{name}/update-policy'
  expect(isOutdatedBy(saved, at(policy, { name: 'shop' }))).toBe(true)
  expect(isOutdatedBy(saved, at(policy, { name: 'blog' }))).toBe(false)
  expect(isOutdatedBy(saved, at('/updates', { stack: 'shop' }))).toBe(true)
  const step = event('stack.deploy.step', { subject })
  expect(isOutdatedBy(step, at(policy, { name: 'shop' }))).toBe(false)
})

test('a sync changes how its stack follows its source, and its files', () => {
  const subject = { kind: 'stack', id: 'shop', name: 'shop' }
  const taken = event('stack.source.take', { subject })
  for (const path of ['/stacks/{name}/source', '/stacks/{name}', '/stacks/{name}/file']) {
    expect(isOutdatedBy(taken, at(path, { name: 'shop' }))).toBe(true)
    expect(isOutdatedBy(taken, at(path, { name: 'blog' }))).toBe(false)
  }
})

test('a kind that no resource depends on changes nothing', () => {
  expect(isOutdatedBy(event('weather.rain'), at('/stacks'))).toBe(false)
})

test('every path of the table is one of the API', () => {
  const document = JSON.parse(
    readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
  )
  const known = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    'get' in methods ? [path] : [],
  )
  expect(pathsOfEvents.filter((path) => !known.includes(path))).toEqual([])
})
