import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenHost, world } from '../../local/harness/world.ts'
import { downSample, sampledId, sampleOf } from '../core/metrics/history.ts'
import list from './list.ts'

const signal = new AbortController().signal

/** Two hosts with a container each, which were sampled twice. */
async function sampled() {
  const here = world()
  const { ports, engine } = here
  const far = await givenHost(here, 'far')
  const ids = [await givenContainer(here, 'web'), await givenContainer(far, 'db')]
  for (const cpuPercent of [null, 50]) {
    ports.clock.advance(15_000)
    engine.state.usage.set('web', { cpuPercent })
    for (const [host, of] of [
      ['local', engine],
      ['far', far.engine],
    ] as const)
      await ports.metricHistory.add(
        host,
        sampleOf(ports.clock.now(), await of.sample(signal), undefined),
      )
  }
  return { ...here, ids }
}

const get = (ports: Json, query: Record<string, string> = {}) =>
  call(list, { ports, as: 'viewer', query })

test('200: what each running container used in the newest sample of its host', async () => {
  const { ports, ids } = await sampled()
  expect((await get(ports)).json).toEqual([
    {
      container_id: sampledId(ids[0] ?? ''),
      time: '2026-06-01T12:00:30.000Z',
      cpu_percent: 50,
      memory: 10_485_760,
      memory_percent: 10,
      host_id: 'local',
      host_name: present(await ports.hosts.find('local')).name,
    },
  ])
  const { json } = await get(ports, { host: 'all' })
  expect(json.items.map((one: Json) => one.host_id).sort()).toEqual(['far', 'local'])
  expect(json.unreachable_hosts).toEqual([])
})

test('200: a host that does not respond has no containers, and is named', async () => {
  const { ports } = await sampled()
  await ports.metricHistory.add('far', downSample(ports.clock.now() + 1))
  const { json } = await get(ports, { host: 'all' })
  expect(json.items.map((one: Json) => one.host_id)).toEqual(['local'])
  expect(json.unreachable_hosts).toEqual([
    { host_id: 'far', host_name: hostNameOf('far'), error: 'has no recent sample' },
  ])
  expect((await get(ports, { host: 'far' })).json).toEqual([])
})

test('200: an empty list before the first sample', async () => {
  expect((await get(world().ports)).json).toEqual([])
})

test('200: at most 1000 containers, and says that there are more', async () => {
  const { ports } = await sampled()
  const latest = await ports.metricHistory.latest('local')
  const [one] = latest?.containers ?? []
  if (!latest || !one) throw new Error('no sample')
  const containers = Array.from({ length: 1001 }, (_, at) => ({ ...one, id: `c${at}` }))
  const host = { ...latest.host, at: latest.host.at + 1 }
  await ports.metricHistory.add('local', { host, containers })
  const { json, headers } = await get(ports)
  expect(json).toHaveLength(1000)
  expect(headers['x-result-truncated']).toBe('true')
})

test('403 and 404: a host out of scope, an unknown host', async () => {
  const { ports } = await sampled()
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  expect((await call(list, { ports, as, query: { host: 'local' } })).status).toBe(403)
  expect((await call(list, { ports, as, query: { host: 'all' } })).json.items).toEqual([])
  expect((await get(ports, { host: 'none' })).status).toBe(404)
})
