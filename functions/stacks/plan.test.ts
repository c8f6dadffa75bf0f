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

test.each([
  ['containers', 'services: {a: {image: x, scale: 100000000}}'],
  ['ports', 'services: {a: {image: x, scale: 200, expose: ["1-65535"]}}'],
  ['containers', 'services: {a: {image: x, scale: 3000, links: [b]}, b: {image: x, scale: 3000}}'],
])(
  '422: a viewer asks for the plan of a stack that was saved before the limit %s',
  async (limit, compose) => {
    const here = world()
    await givenStack(here, 'shop', { deployed: false })
    const digest = await here.ports.texts.put(compose)
    const stack = (await here.ports.stacks.find('shop'))!
    await here.ports.stacks.replace({
      ...stack,
      files: { ...stack.files, compose: digest, overlays: {} },
    })
    const { status, json } = await call(plan, { ports: here.ports, as: 'viewer', path, body: {} })
    expect(status).toBe(422)
    expect(json.error).toContain(`the limit \`${limit}\``)
  },
)

test('200: a plan of more than 1000 steps is cut, and says so', async () => {
  const here = world()
  const compose = 'services: {a: {image: x, scale: 600}}'
  await givenStack(here, 'shop', { deployed: false })
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
  const { status, json, headers } = await call(plan, {
    ports: here.ports,
    as: 'viewer',
    path,
    body: {},
  })
  expect(status).toBe(200)
  expect(json).toHaveLength(1000)
  expect(headers['x-result-truncated']).toBe('true')
})
