import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, world } from '../../local/harness/world.ts'
import restart from './restart.ts'

const path = { name: 'shop' }

test('200: restarts every service in dependency order', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(restart, {
    ports: here.ports,
    as: 'operator',
    path,
    body: {},
  })
  expect([status, json.status]).toEqual([200, 'running'])
  const restarts = here.engine.executed.filter((step) => step.action === 'restart')
  expect(restarts.map((step) => step.name)).toEqual(['shop-db-1', 'shop-web-1'])
})

test('200: restarts only the given services', async () => {
  const here = world()
  await givenStack(here)
  const body = { services: ['web'] }
  await call(restart, { ports: here.ports, as: 'operator', path, body })
  const restarts = here.engine.executed.filter((step) => step.action === 'restart')
  expect(restarts.map((step) => step.name)).toEqual(['shop-web-1'])
})

test('404: unknown service', async () => {
  const here = world()
  await givenStack(here)
  const body = { services: ['nope'] }
  const { status, json } = await call(restart, { ports: here.ports, as: 'operator', path, body })
  expect([status, json.error]).toEqual([404, expect.stringContaining('nope')])
})

test('409: a deployment is running', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path, body: {} }
  const answers = await Promise.all([call(restart, asked), call(restart, asked)])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
})

test('202: with wait=false returns the deployment', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path, query: { wait: false } }
  const { status, json, headers } = await call(restart, asked)
  expect([status, json.kind, json.status]).toEqual([202, 'restart', 'running'])
  expect(headers['x-operation-id']).toBe(json.id)
  await here.ports.background.settled()
  expect((await here.ports.deployments.find('shop', json.id))?.status).toBe('succeeded')
})
