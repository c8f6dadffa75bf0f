import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import deploy from './deploy.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }

test('200: removes containers, dependents first, and keeps networks and volumes', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(stop, { ports: here.ports, as: 'operator', path })
  expect([status, json.status]).toEqual([200, 'stopped'])
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
  const { status, json } = await call(stop, { ports: here.ports, as: 'operator', path })
  expect([status, json.error]).toEqual([500, expect.stringContaining('busy')])
})

test('409: a deployment is running', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  const answers = await Promise.all([call(stop, asked), call(stop, asked)])
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
})
