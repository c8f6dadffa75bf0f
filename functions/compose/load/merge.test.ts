import { describe, expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { applyTags } from '../yaml/tags.ts'
import type { Tree, TreeMap } from '../yaml/tree.ts'
import { mergeTrees } from './merge.ts'
import { enforceUnicity } from './unicity.ts'

/** Merges one attribute of a service. */
const merge = (attribute: string, base: Tree, over: Tree): unknown => {
  const tree = (value: Tree): TreeMap => ({ services: { app: { [attribute]: value } } })
  const merged: Json = enforceUnicity(mergeTrees(tree(base), tree(over)))
  return merged.services.app[attribute]
}

describe('a file over another', () => {
  test.each<[string, string, Tree, Tree, Tree]>([
    ['a scalar is replaced', 'image', 'a', 'b', 'b'],
    ['null keeps the existing value', 'image', 'a', null, 'a'],
    ['a value replaces null', 'healthcheck', null, { retries: 1 }, { retries: 1 }],
    [
      'mappings merge',
      'healthcheck',
      { retries: 1, interval: '1s' },
      { retries: 2 },
      { retries: 2, interval: '1s' },
    ],
    ['lists append', 'security_opt', ['a'], ['b'], ['a', 'b']],
    ['a command is replaced', 'command', ['a', 'b'], ['c'], ['c']],
    ['a command in another form is replaced', 'command', 'a b', ['c'], ['c']],
    ['an entrypoint is replaced', 'entrypoint', ['a'], 'b', 'b'],
    [
      'each limit is replaced',
      'ulimits',
      { a: 1, b: { soft: 1, hard: 2 } },
      { b: { hard: 3 } },
      { a: 1, b: { hard: 3 } },
    ],
  ])('%s', (_, attribute, base, over, merged) => {
    expect(merge(attribute, base, over)).toEqual(merged)
  })

  test.each<[string, string, Tree, Tree, Tree]>([
    [
      'environment in both forms',
      'environment',
      { A: 1, B: null },
      ['A=2', 'C'],
      ['A=2', 'B', 'C'],
    ],
    ['labels', 'labels', ['a=1', 'b=1'], { b: true }, ['a=1', 'b=true']],
    ['sysctls', 'sysctls', { x: 1 }, { x: 2 }, ['x=2']],
    ['one dns and a list', 'dns', '1.1.1.1', ['8.8.8.8', '1.1.1.1'], ['1.1.1.1', '8.8.8.8']],
    ['tmpfs by path', 'tmpfs', '/run', '/tmp', ['/run', '/tmp']],
    [
      'env_file by path',
      'env_file',
      'a.env',
      [{ path: 'a.env', required: false }],
      [{ path: 'a.env', required: false }],
    ],
    [
      'extra_hosts without repeating',
      'extra_hosts',
      ['a=1.1.1.1'],
      { a: '1.1.1.1', b: '2.2.2.2' },
      ['a=1.1.1.1', 'b=2.2.2.2'],
    ],
    ['capabilities', 'cap_add', ['A', 'B'], ['B', 'C'], ['A', 'B', 'C']],
    [
      'volumes by target, in the first place',
      'volumes',
      ['./a:/x', 'v:/y'],
      ['./b:/x:ro'],
      ['./b:/x:ro', 'v:/y'],
    ],
    ['devices by target', 'devices', ['/dev/a:/dev/x'], ['/dev/b:/dev/x'], ['/dev/b:/dev/x']],
    ['equal ports', 'ports', ['80:80', 81], ['80:80', 82], ['80:80', 81, 82]],
    [
      'ports in long form',
      'ports',
      [{ target: 80, published: 8080, name: 'a' }],
      [{ target: 80, published: 8080, name: 'b' }],
      [{ target: 80, published: 8080, name: 'b' }],
    ],
    [
      'secrets by target',
      'secrets',
      ['a', 'b'],
      [{ source: 'c', target: '/run/secrets/a' }],
      [{ source: 'c', target: '/run/secrets/a' }, 'b'],
    ],
    [
      'configs by target',
      'configs',
      ['a'],
      [{ source: 'b', target: '/a' }],
      [{ source: 'b', target: '/a' }],
    ],
  ])('merges %s', (_, attribute, base, over, merged) => {
    expect(merge(attribute, base, over)).toEqual(merged)
  })

  test.each<[string, string, Tree, Tree, Tree]>([
    [
      'networks',
      'networks',
      ['a', 'b'],
      { b: { aliases: ['x'] } },
      { a: null, b: { aliases: ['x'] } },
    ],
    [
      'aliases without repeating',
      'networks',
      { a: { aliases: ['x'] } },
      { a: { aliases: ['y', 'x'] } },
      { a: { aliases: ['x', 'y'] } },
    ],
    [
      'depends_on',
      'depends_on',
      ['a'],
      { a: { condition: 'service_healthy' } },
      { a: { condition: 'service_healthy', required: true } },
    ],
    ['build', 'build', '.', { target: 'x' }, { context: '.', target: 'x' }],
    [
      'options of one logging driver',
      'logging',
      { driver: 'a', options: { x: '1' } },
      { options: { y: '2' } },
      { driver: 'a', options: { x: '1', y: '2' } },
    ],
    [
      'no options of different logging drivers',
      'logging',
      { driver: 'a', options: { x: '1' } },
      { driver: 'b', options: { y: '2' } },
      { driver: 'b', options: { y: '2' } },
    ],
  ])('merges %s', (_, attribute, base, over, merged) => {
    expect(merge(attribute, base, over)).toEqual(merged)
  })

  test('merges address pools by their subnet', () => {
    const network = (config: Tree[]): TreeMap => ({ networks: { n: { ipam: { config } } } })
    const base = network([{ subnet: '10.1.0.0/16', aux_addresses: { a: '10.1.0.1' } }])
    const over = network([
      { subnet: '10.1.0.0/16', gateway: '10.1.0.9', aux_addresses: { b: '10.1.0.2' } },
      { subnet: '10.2.0.0/16' },
    ])
    expect(mergeTrees(base, over)).toEqual(
      network([
        {
          subnet: '10.1.0.0/16',
          gateway: '10.1.0.9',
          aux_addresses: { a: '10.1.0.1', b: '10.1.0.2' },
        },
        { subnet: '10.2.0.0/16' },
      ]),
    )
  })

  test('merges extensions and search domains as docker compose 2.40 does', () => {
    const own = (note: Tree, domain: string) => ({
      'x-note': note,
      services: { web: { dns_search: [domain] } },
    })
    const merged = mergeTrees(
      own({ a: 1, list: [1], under: { a: 1 } }, 'a.example'),
      own({ b: 2, list: [2], under: { b: 2 } }, ''),
    )
    expect(merged).toEqual({
      'x-note': { a: 1, b: 2, list: [1, 2], under: { a: 1, b: 2 } },
      services: { web: { dns_search: ['a.example', ''] } },
    })
  })

  test('takes a value of any type over a scalar', () => {
    const merged = mergeTrees({ 'x-a': 1, 'x-b': 'b' }, { 'x-a': ['c'], 'x-b': { d: 1 } })
    expect(merged).toEqual({ 'x-a': ['c'], 'x-b': { d: 1 } })
  })

  test.each<[Tree, Tree]>([
    [['a'], { a: 1 }],
    [{ a: 1 }, 'a'],
    [['a'], 'b'],
  ])('rejects %j under %j', (base, over) => {
    expect(() => merge('security_opt', base, over)).toThrow(
      'services.app.security_opt: cannot override',
    )
  })

  test('does not modify its arguments', () => {
    const base: TreeMap = {
      services: { app: { labels: ['a=1'], networks: { n: { aliases: ['x'] } } } },
    }
    const over: TreeMap = {
      services: { app: { labels: ['a=2'], networks: { n: { aliases: ['y'] } } } },
    }
    const before = structuredClone([base, over])
    mergeTrees(base, over)
    expect([base, over]).toEqual(before)
  })
})

describe('tags', () => {
  const base = () => ({
    services: { app: { ports: ['80'], environment: ['A=1', 'B=2'], labels: { a: 1 } } },
  })
  test.each([
    [['services', 'app', 'ports'], { environment: ['A=1', 'B=2'], labels: { a: 1 } }],
    [
      ['services', 'app', 'labels', 'a'],
      { ports: ['80'], environment: ['A=1', 'B=2'], labels: {} },
    ],
    [
      ['services', 'app', 'environment', 'A'],
      { ports: ['80'], environment: ['B=2'], labels: { a: 1 } },
    ],
    [['services', 'other', 'ports'], base().services.app],
    [['services', 'app', 'ports', 0], base().services.app],
  ])('drops %j of the file below', (path, app) => {
    const tree = base()
    applyTags(tree as TreeMap, [{ path, tag: '!reset' }])
    expect(tree).toEqual({ services: { app } })
  })
})
