import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenHost, world } from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import kill from './kill.ts'
import restart from './restart.ts'
import start from './start.ts'
import stop from './stop.ts'

const actions = { start, stop, restart, kill }
const names = Object.keys(actions) as (keyof typeof actions)[]
const after = { start: 'running', stop: 'exited', restart: 'running', kill: 'exited' }

test.each(names)('200: %s returns the new state of the container', async (name) => {
  const here = world()
  const id = await givenContainer(here, 'one')
  const answer = await call(actions[name], { ports: here.ports, as: 'operator', path: { id } })
  expect(answer.status).toBe(200)
  expect(answer.json.state).toBe(after[name])
})

test.each(names)('200: %s twice is the same as %s once', async (name) => {
  const here = world()
  const id = await givenContainer(here, 'one')
  const ask = { ports: here.ports, as: 'operator' as const, path: { id } }
  await call(actions[name], ask)
  const again = await call(actions[name], ask)
  expect([again.status, again.json.state]).toEqual([200, after[name]])
})

test.each(names)('404: %s of an unknown container', async (name) => {
  const { ports } = world()
  const answer = await call(actions[name], { ports, as: 'operator', path: { id: 'no' } })
  expect(answer.status).toBe(404)
})

test.each(names)('400: %s on all hosts', async (name) => {
  const { ports } = world()
  const query = { host: 'all' }
  const answer = await call(actions[name], { ports, as: 'operator', path: { id: 'one' }, query })
  expect(answer.status).toBe(400)
})

test('200: works on another host', async () => {
  const here = world()
  const far = await givenHost(here, 'far')
  const id = await givenContainer(far, 'one')
  const ask = { ports: here.ports, as: 'operator' as const, path: { id }, query: { host: 'far' } }
  expect((await call(stop, ask)).json.host_id).toBe('far')
})

test('400: invalid signal or timeout', async () => {
  const { ports } = world()
  const ask = { ports, as: 'operator' as const, path: { id: 'one' } }
  for (const signal of ['sigterm;x', '0', '32', '65', '99', '-1']) {
    expect((await call(kill, { ...ask, query: { signal } })).status, signal).toBe(400)
  }
  expect((await call(stop, { ...ask, query: { timeout: 'soon' } })).status).toBe(400)
})

test.each(names)('409: %s that the Engine refuses', async (name) => {
  const here = world()
  const id = await givenContainer(here, 'one')
  const act = async () => {
    throw conflict('container one: it is marked for removal')
  }
  here.ports.engines.byHost.set('local', { ...here.engine, act })
  const answer = await call(actions[name], { ports: here.ports, as: 'operator', path: { id } })
  expect(answer).toMatchObject({ status: 409, json: { error: expect.stringContaining('removal') } })
})
