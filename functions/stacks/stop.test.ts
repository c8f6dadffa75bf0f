import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import deploy from './deploy.ts'
import getDeployment from './deployments/get.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }

test('200: removes containers, dependents first, and keeps networks and volumes', async () => {
  const here = world()
  await givenStack(here)
  const { status, json, headers } = await call(stop, { ports: here.ports, as: 'operator', path })
  expect([status, json.status]).toEqual([200, 'stopped'])
  const [own] = await here.ports.deployments.listByStack('shop', 1)
  expect(headers['x-operation-id']).toBe(own?.id)
  expect(here.engine.state.containers.size).toBe(0)
  expect([...here.engine.state.networks.keys()]).toContain('shop_default')
  expect([...here.engine.state.volumes.keys()]).toContain('shop_data')
  const stops = here.engine.executed.filter((step) => step.action === 'stop')
  expect(stops.map((step) => step.name)).toEqual(['shop-web-1', 'shop-db-1'])
})

test('200: records the images of the containers, whatever the file says now', async () => {
  const here = world()
  await givenStack(here)
  const ran = [...here.engine.state.containers.values()].map(({ imageId }) => imageId)
  const compose = shop.replaceAll('busybox:latest', 'nginx:1')
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
  await call(stop, { ports: here.ports, as: 'operator', path })
  const [newest] = await here.ports.deployments.listByStack('shop', 1)
  expect(newest).toMatchObject({ kind: 'stop', images: { db: ran[0], web: ran[1] } })
})

test('200: stopping a stopped stack changes nothing, and a deploy starts it again', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  await call(stop, asked)
  const { length } = here.engine.executed
  expect((await call(stop, asked)).json.status).toBe('stopped')
  expect(here.engine.executed).toHaveLength(length)
  expect((await call(deploy, { ...asked, body: {} })).json.status).toBe('succeeded')
  const names = [...here.engine.state.containers.values()].map(({ name }) => name)
  expect(names.sort()).toEqual(['shop-db-1', 'shop-web-1'])
})

test('500: names the failed step', async () => {
  const here = world()
  await givenStack(here)
  here.engine.failing = (step) => (step.action === 'remove' ? internalError('busy') : undefined)
  const { status, json, headers } = await call(stop, { ports: here.ports, as: 'operator', path })
  expect([status, json.error]).toEqual([500, expect.stringContaining('busy')])
  const id = headers['x-operation-id'] ?? ''
  const asked = { ports: here.ports, as: 'viewer' as const, path: { ...path, id } }
  expect((await call(getDeployment, asked)).json).toMatchObject({
    id,
    kind: 'stop',
    status: 'failed',
    reason: headers['x-error-reason'],
  })
})

test('409: a deployment is running', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  const answers = await Promise.all([call(stop, asked), call(stop, asked)])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
})

test('202: with wait=false returns the deployment, whose end the audit log has too', async () => {
  const here = world()
  await givenStack(here)
  const route = 'POST /stacks/{name}/stop'
  const asked = { ports: here.ports, as: 'operator' as const, path, route, query: { wait: false } }
  const { status, json, headers } = await call(stop, asked)
  expect([status, json.kind, json.status]).toEqual([202, 'stop', 'running'])
  expect(headers.location).toBe(`/api/v1/stacks/shop/deployments/${json.id}`)
  await here.ports.background.settled()
  const row = (await here.ports.audit.after(0)).rows.find(({ id }) => id === json.id)
  expect(row).toMatchObject({ action: 'stacks.stop', outcome: 'succeeded' })
})

test('200: gives containers the time that the request names', async () => {
  const here = world()
  await givenStack(here)
  const body = { timeout_seconds: 30 }
  await call(stop, { ports: here.ports, as: 'operator', path, body })
  const stops = here.engine.executed.filter((step) => step.action === 'stop')
  expect(stops).toMatchObject([{ timeoutSeconds: 30 }, { timeoutSeconds: 30 }])
})
