import { expect, test } from 'vitest'
import type { Service } from '../../service.ts'
import type { VolumeMount } from '../../service-parts.ts'
import { deploy, lines, projectOf } from '../../testing/plan-samples.ts'
import { simulatedHost } from '../../testing/simulated-host.ts'
import type { Plan } from '../plan-steps.ts'
import { planText } from '../plan-text.ts'

/** Returns the plan of a first deploy. All services have an image that is there. */
function first(services: Record<string, Partial<Service>>, rest = {}): Plan {
  return deploy(simulatedHost(Object.keys(services), []), projectOf(services, rest))
}

const creations = (plan: Plan) =>
  lines(planText(plan))
    .split('\n')
    .filter((line) => line.includes('create '))

test('networks with a subnet are created first, so that no other one gets it', () => {
  const plan = first(
    { web: { networks: { aa: null, zz: null, bb: null } } },
    {
      networks: {
        aa: { name: 'aa', ipam: {} },
        bb: { name: 'bb', ipam: { config: [{ gateway: '10.1.0.1' }] } },
        zz: { name: 'zz', ipam: { config: [{ subnet: '10.1.0.0/16' }] } },
      },
    },
  )
  expect(creations(plan)).toEqual([
    '0 create network zz (no network)',
    '1 create network aa (no network) after 0',
    '2 create network bb (no network) after 0',
    expect.stringContaining('3 create container shop-web-1 (no container) after'),
  ])
})

const data: VolumeMount = { type: 'volume', source: 'data', target: '/data' }
const volumes = { volumes: { data: { name: 'shop_data' } } }

test('one container fills a new volume, before others that mount it are created', () => {
  const plan = first({ db: { volumes: [data] }, web: { volumes: [data], scale: 2 } }, volumes)
  expect(creations(plan)).toEqual([
    '0 create network shop_default (no network)',
    '1 create volume shop_data (no volume)',
    '2 create container shop-db-1 (no container) after 0 1',
    '3 create container shop-web-1 (no container) after 0 1 2',
    '4 create container shop-web-2 (no container) after 0 1 2',
  ])
})

test('an existing volume without containers may be empty too', () => {
  const host = simulatedHost(['db', 'web'], [])
  host.volumes.set('shop_data', {})
  const external = { volumes: { data: { name: 'shop_data', external: true as const } } }
  const plan = deploy(
    host,
    projectOf({ db: { volumes: [data] }, web: { volumes: [data] } }, external),
  )
  expect(creations(plan).at(-1)).toBe('2 create container shop-web-1 (no container) after 0 1')
})

test.each<[what: string, mount: VolumeMount]>([
  ['nocopy', { ...data, volume: { nocopy: true } }],
  ['a bind', { type: 'bind', source: '/srv/data', target: '/data' }],
  ['memory', { type: 'tmpfs', target: '/data' }],
])('nothing is filled, and no creation waits: %s', (_, mount) => {
  const plan = first({ db: { volumes: [mount] }, web: { volumes: [mount] } }, volumes)
  const [one = '', other = ''] = creations(plan).slice(-2)
  expect(other.split(' after ')[1]).toBe(one.split(' after ')[1])
})
