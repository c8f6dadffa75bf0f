import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, world } from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import plan from './plan.ts'
import update from './update.ts'

const path = { name: 'shop' }

test('200: what a deploy would do and why; nothing happens', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { status, json } = await call(plan, { ports: here.ports, as: 'viewer', path, body: {} })
  expect(status).toBe(200)
  const lines = json.map((step: any) => `${step.action} ${step.kind} ${step.name}`)
  expect(lines).toContain('create network shop_default')
  expect(lines).toContain('create volume shop_data')
  expect(lines).toContain('start container shop-web-1')
  expect(json.every((step: any) => step.reason.length > 0)).toBe(true)
  expect(here.engine.executed).toEqual([])
})

test('200: nothing for a stack that is as it should be, a cause for each change', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path, body: {} }
  expect((await call(plan, asked)).json).toEqual([])
  const compose = shop.replace('command: sleep 3600', 'command: sleep 7200')
  await call(update, { ...asked, body: { compose } })
  const { json } = await call(plan, asked)
  expect(json.find((step: any) => step.action === 'recreate').reason).toMatch(/config/)
})

test('422: an environment without an overlay', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const body = { environment: 'prod' }
  expect((await call(plan, { ports: here.ports, as: 'viewer', path, body })).status).toBe(422)
})

test('404: no such stack', async () => {
  const { ports } = world()
  expect((await call(plan, { ports, as: 'viewer', path, body: {} })).status).toBe(404)
})

test('409: what it refers to is in the way', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const resolve = async () => {
    throw conflict('network shop_default: more than one has that name')
  }
  here.ports.engines.byHost.set('local', { ...here.engine, resolve })
  const answer = await call(plan, { ports: here.ports, as: 'viewer', path, body: {} })
  expect(answer).toMatchObject({ status: 409, json: { error: expect.stringContaining('network') } })
})
