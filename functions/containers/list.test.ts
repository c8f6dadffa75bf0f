import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenHost, world } from '../../local/harness/world.ts'
import list from './list.ts'

test('200: lists the running containers of the local host by name', async () => {
  const here = world()
  await givenContainer(here, 'zebra')
  await givenContainer(here, 'ape', { hostConfig: { Binds: ['pages:/www', '/srv:/srv'] } })
  await givenContainer(here, 'ended', { command: ['true'] })
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(json.map((one: Json) => [one.name, one.state, one.host_id, one.volume_names])).toEqual([
    ['ape', 'running', 'local', ['pages']],
    ['zebra', 'running', 'local', []],
  ])
})

test('200: all=true includes stopped containers', async () => {
  const here = world()
  await givenContainer(here, 'ended', { command: ['true'] })
  const { json } = await call(list, { ports: here.ports, as: 'viewer', query: { all: true } })
  expect(json.map((one: Json) => [one.name, one.state])).toEqual([['ended', 'exited']])
})

test('200: health chooses among the containers before their number is limited', async () => {
  const here = world()
  for (let n = 0; n < 1001; n += 1) await givenContainer(here, `c${n}`)
  const id = await givenContainer(here, 'sick')
  Object.assign(present(here.engine.state.containers.get(id)), { health: 'unhealthy' })
  const sick = { query: { health: 'unhealthy' } }
  const { json, headers } = await call(list, { ports: here.ports, as: 'viewer', ...sick })
  expect(json.map((one: Json) => one.name)).toEqual(['sick'])
  expect(headers).not.toHaveProperty('x-result-truncated')
})

test('200: a stack and a label choose among the containers', async () => {
  const here = world()
  const project = { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'web' }
  await givenContainer(here, 'web', { labels: { ...project, tier: 'a=b' } })
  await givenContainer(here, 'other', { labels: { tier: 'c' } })
  const names = async (query: Record<string, string>) =>
    (await call(list, { ports: here.ports, as: 'viewer', query })).json.map(
      ({ name }: Json) => name,
    )
  expect(await names({ stack: 'shop' })).toEqual(['web'])
  expect(await names({ stack: 'sho' })).toEqual([])
  expect(await names({ label: 'tier' })).toEqual(['other', 'web'])
  expect(await names({ label: 'tier=a=b' })).toEqual(['web'])
  expect(await names({ label: 'tier=a' })).toEqual([])
  expect(await names({ label: 'constructor' })).toEqual([])
  expect(await names({ stack: 'shop', label: 'tier=c' })).toEqual([])
})

test('400: an unknown health', async () => {
  const here = world()
  const query = { health: 'ill' }
  expect((await call(list, { ports: here.ports, as: 'viewer', query })).status).toBe(400)
})

test('200: host=all wraps the items of every host and names the unreachable ones', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  const gone = await givenHost(here, 'gone')
  await givenContainer(here, 'one')
  await givenContainer(far, 'two')
  gone.off()
  const { json } = await call(list, { ports: here.ports, as: 'viewer', query: { host: 'all' } })
  expect(json.items.map((one: Json) => [one.host_id, one.name]).sort()).toEqual([
    ['far', 'two'],
    ['local', 'one'],
  ])
  expect(json.unreachable_hosts).toEqual([
    {
      host_id: 'gone',
      host_name: hostNameOf('gone'),
      error: `host ${hostNameOf('gone')}: it does not respond`,
    },
  ])
})

test('200: returns a limited number of containers and reports the truncation in a header', async () => {
  const here = world()
  for (let n = 0; n < 1001; n += 1) await givenContainer(here, `c${n}`, { started: false })
  const answer = await call(list, { ports: here.ports, as: 'viewer', query: { all: true } })
  expect(answer.json).toHaveLength(1000)
  expect(answer.headers['x-result-truncated']).toBe('true')
})

test('200: an account with scope tags sees only hosts that have one of them', async () => {
  const here = world()
  const far = await givenHost(here, 'far', { tags: ['lab'] })
  await givenContainer(here, 'one')
  await givenContainer(far, 'two')
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const all = await call(list, { ports: here.ports, as, query: { host: 'all' } })
  expect(all.json.items.map((one: Json) => one.name)).toEqual(['two'])
  const implied = await call(list, { ports: here.ports, as })
  expect(implied.json.map((one: Json) => one.name)).toEqual(['two'])
})

test('403: a host out of scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { status } = await call(list, { ports: here.ports, as, query: { host: 'local' } })
  expect(status).toBe(403)
})

test('400: names an unknown query parameter', async () => {
  const { ports } = world()
  const { status, json } = await call(list, { ports, as: 'viewer', query: { page: 1 } })
  expect(status).toBe(400)
  expect(json.error).toContain('page')
})

test('500: the requested host does not respond', async () => {
  const here = world()
  const gone = await givenHost(here, 'gone')
  gone.off()
  const { status, json } = await call(list, {
    ports: here.ports,
    as: 'viewer',
    query: { host: 'gone' },
  })
  expect(status).toBe(500)
  expect(json.error).toBe(`host ${hostNameOf('gone')}: it does not respond`)
})

test('200: a list that has not changed is not converted again', async () => {
  const here = world()
  await givenContainer(here, 'one')
  const engine = await here.ports.engines.on('local')
  let reads = 0
  const same = (await engine.containers({ all: true })).map((container) => ({
    ...container,
    get name() {
      reads += 1
      return container.name
    },
  }))
  const engines = { on: async () => ({ ...engine, containers: async () => same }) }
  const ask = { ports: { ...here.ports, engines }, as: 'viewer' as const, query: { all: 'true' } }
  const first = await call(list, ask)
  expect(first.json).toMatchObject([{ name: 'one' }])
  const before = reads
  expect((await call(list, ask)).json).toEqual(first.json)
  expect(reads).toBe(before)
})
