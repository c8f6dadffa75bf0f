import { expect, test } from 'vitest'
import type { Service } from '../service.ts'
import { serviceOrder, topological } from './order.ts'

const plain: Service = { command: null, entrypoint: null }
const needs = (...names: string[]): Service => ({
  ...plain,
  depends_on: Object.fromEntries(
    names.map((name) => [name, { condition: 'service_started', required: true } as const]),
  ),
})

test('orders services after their dependencies, and otherwise by name', () => {
  const services = { web: needs('db', 'cache'), db: plain, cache: plain, admin: needs('web') }
  expect(serviceOrder(services)).toEqual(['cache', 'db', 'web', 'admin'])
})

test('shared namespaces, volumes and links count as dependencies', () => {
  const services: Record<string, Service> = {
    a: { ...plain, network_mode: 'service:z' },
    b: { ...plain, ipc: 'service:y', pid: 'container:else' },
    c: { ...plain, volumes_from: ['x:ro', 'container:else'] },
    d: { ...plain, links: ['w:alias'] },
    w: plain,
    x: plain,
    y: plain,
    z: plain,
  }
  expect(serviceOrder(services)).toEqual(['z', 'a', 'y', 'b', 'x', 'c', 'w', 'd'])
})

test('ignores a dependency that is not in the project', () => {
  expect(serviceOrder({ web: needs('profiled') })).toEqual(['web'])
})

test('422: names the cycle', () => {
  const services = { a: needs('b'), b: needs('c'), c: needs('b') }
  expect(() => serviceOrder(services)).toThrow('dependency cycle detected: b -> c -> b')
})

test('orders a cyclic graph if cycles are ignored', () => {
  const edges = new Map([
    ['a', ['b']],
    ['b', ['a']],
  ])
  expect(topological(edges, () => {})).toEqual(['b', 'a'])
})
