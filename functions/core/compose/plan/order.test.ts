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

test('services come after what they depend on, equals in order of name', () => {
  const services = { web: needs('db', 'cache'), db: plain, cache: plain, admin: needs('web') }
  expect(serviceOrder(services)).toEqual(['cache', 'db', 'web', 'admin'])
})

test('shared namespaces, volumes and links are dependencies too', () => {
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

test('a dependency that the project does not have is passed over', () => {
  expect(serviceOrder({ web: needs('profiled') })).toEqual(['web'])
})

test('422: a cycle is shown', () => {
  const services = { a: needs('b'), b: needs('c'), c: needs('b') }
  expect(() => serviceOrder(services)).toThrow('dependency cycle detected: b -> c -> b')
})

test('a graph with a cycle still gets an order when the cycle is ignored', () => {
  const edges = new Map([
    ['a', ['b']],
    ['b', ['a']],
  ])
  expect(topological(edges, () => {})).toEqual(['b', 'a'])
})
