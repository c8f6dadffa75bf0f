import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import { nextWatch } from '../../core/alerts/watch.ts'
import { internalError } from '../../core/errors.ts'
import deploy from '../deploy.ts'
import restartStack from '../restart.ts'
import statusOf from '../status.ts'
import stopStack from '../stop.ts'
import pause from './pause.ts'
import restart from './restart.ts'
import start from './start.ts'
import stop from './stop.ts'
import unpause from './unpause.ts'

const verbs = { start, stop, restart, pause, unpause }

const ask = ({ ports }: World, service: string, more: object = {}) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop', service },
  ...more,
})

const stack = ({ ports }: World) => ({ ports, as: 'operator' as const, path: { name: 'shop' } })

async function states(here: World) {
  const { json } = await call(statusOf, stack(here))
  return Object.fromEntries(
    json.map((row: { service: string; service_state: string }) => [row.service, row.service_state]),
  )
}

const stateIn = ({ engine }: World, name: string) =>
  present([...engine.state.containers.values()].find((one) => one.name === name)).state

test('200: stop stops just the service, keeps its containers and says who did it', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(stop, ask(here, 'db'))
  expect([status, json.status, json.kind, json.services]).toEqual([
    ...[200, 'succeeded', 'stop'],
    ['db'],
  ])
  expect(stateIn(here, 'shop-db-1')).toBe('exited')
  expect(await states(here)).toEqual({ db: 'stopped', web: 'running' })
  const rows = (await call(statusOf, stack(here))).json
  expect(rows[0].detail).toMatch(/^stopped by operator /)
  expect((await here.ports.stacks.find('shop'))?.deployed).toBe(true)
})

test('200: start brings back a stopped service and its dependencies', async () => {
  const here = world()
  await givenStack(here)
  for (const service of ['web', 'db']) await call(stop, ask(here, service))
  const { json } = await call(start, ask(here, 'web'))
  expect(json.steps.map(({ name }: { name: string }) => name)).toEqual(['shop-db-1', 'shop-web-1'])
  expect(await states(here)).toEqual({ db: 'running', web: 'running' })
  expect((await here.ports.stacks.find('shop'))?.verbs).toEqual({})
})

test('200: restart also starts a stopped service', async () => {
  const here = world()
  await givenStack(here)
  await call(stop, ask(here, 'web'))
  expect((await call(restart, ask(here, 'web'))).json.status).toBe('succeeded')
  expect(await states(here)).toEqual({ db: 'running', web: 'running' })
})

test('200: pause freezes a service, unpause lets it continue', async () => {
  const here = world()
  await givenStack(here)
  await call(pause, ask(here, 'web'))
  expect(await states(here)).toEqual({ db: 'running', web: 'paused' })
  const rows = (await call(statusOf, stack(here))).json
  expect(rows[1].detail).toMatch(/^paused by operator /)
  const again = await call(pause, ask(here, 'web'))
  expect(again.status).toBe(409)
  expect(again.json.error).toContain('service web: it is already paused')
  await call(unpause, ask(here, 'web'))
  expect(await states(here)).toEqual({ db: 'running', web: 'running' })
  expect((await call(unpause, ask(here, 'web'))).json.steps).toEqual([])
})

test('200: a deploy starts a stopped service and clears what users did', async () => {
  const here = world()
  await givenStack(here)
  await call(stop, ask(here, 'web'))
  const { json } = await call(deploy, { ...stack(here), body: {} })
  expect(json.steps).toMatchObject([{ action: 'start', name: 'shop-web-1' }])
  expect((await here.ports.stacks.find('shop'))?.verbs).toEqual({})
})

test('200: a restart of the stack starts a stopped service', async () => {
  const here = world()
  await givenStack(here)
  await call(stop, ask(here, 'web'))
  await call(restartStack, { ...stack(here), body: {} })
  expect(await states(here)).toEqual({ db: 'running', web: 'running' })
  expect((await here.ports.stacks.find('shop'))?.verbs).toEqual({})
})

test('200: a stop that fails leaves no trace of a stop', async () => {
  const here = world()
  await givenStack(here)
  here.engine.failing = (step) => (step.action === 'stop' ? internalError('busy') : undefined)
  const { status, json } = await call(stop, ask(here, 'web'))
  expect([status, json.status, json.error]).toEqual([
    200,
    'failed',
    expect.stringContaining('busy'),
  ])
  expect((await here.ports.stacks.find('shop'))?.verbs).toEqual({})
  expect((await here.ports.hostStops.find('local'))?.stops).toEqual({})
})

test('200: no alert fires for what a stop of ours ended', async () => {
  const here = world()
  await givenStack(here)
  const look = async () => {
    const containers = await here.engine.sample(new AbortController().signal)
    const stops = new Map(Object.entries((await here.ports.hostStops.find('local'))?.stops ?? {}))
    const stacks = new Map([['shop', present(await here.ports.stacks.find('shop'))]])
    return { containers, stops, stacks, engine: null, now: here.ports.clock.now() }
  }
  const before = nextWatch({ id: 'local', expected: {}, restarts: {} }, await look())
  expect(before.expected['shop-web-1']?.is).toBe('up')
  await call(stop, ask(here, 'web'))
  expect(nextWatch(before, await look()).expected['shop-web-1']?.is).toBe('stopped')
})

test('202: with wait=false the deployment is followed', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(stop, ask(here, 'web', { query: { wait: 'false' } }))
  expect([status, json.status]).toEqual([202, 'running'])
  await here.ports.background.settled()
  expect(stateIn(here, 'shop-web-1')).toBe('exited')
})

test('200: a service that only its containers have is found', async () => {
  const here = world()
  await givenStack(here)
  const record = present(await here.ports.stacks.find('shop'))
  const { web: _, ...services } = record.services
  await here.ports.stacks.replace({ ...record, services })
  expect((await call(stop, ask(here, 'web'))).json.status).toBe('succeeded')
  expect(stateIn(here, 'shop-web-1')).toBe('exited')
})

test('409: a start of a service without containers', async () => {
  const here = world()
  await givenStack(here)
  await call(stopStack, stack(here))
  const { status, json } = await call(start, ask(here, 'web'))
  expect([status, json.error]).toEqual([409, expect.stringContaining('no container to start')])
  expect((await call(statusOf, stack(here))).json[0].service_state).toBe('stopped')
})

test('200: a stop of a stack that was never deployed leaves it as it is', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  expect((await call(stop, ask(here, 'web'))).json.steps).toEqual([])
  expect((await here.ports.stacks.find('shop'))?.verbs ?? {}).toEqual({})
})

const each = Object.entries(verbs)

test.each(each)('404: %s of an unknown service or stack', async (_, verb) => {
  const here = world()
  await givenStack(here)
  expect((await call(verb, ask(here, 'nope'))).status).toBe(404)
  expect((await call(verb, ask(here, 'constructor'))).status).toBe(404)
  const none = { name: 'none', service: 'web' }
  expect((await call(verb, ask(here, 'web', { path: none }))).status).toBe(404)
})

test.each(each)('400: %s with an invalid query', async (_, verb) => {
  expect((await call(verb, ask(world(), 'web', { query: { wait: 'soon' } }))).status).toBe(400)
})

test.each(each)('409: %s while another operation runs', async (_, verb) => {
  const here = world()
  await givenStack(here)
  const answers = await Promise.all([call(verb, ask(here, 'web')), call(verb, ask(here, 'web'))])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})
