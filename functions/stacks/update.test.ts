import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, world } from '../../local/harness/world.ts'
import get from './get.ts'
import update from './update.ts'

const path = { name: 'shop' }

test('200: changes the given fields, keeps the rest, and increments the revision', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const asked = { ports: here.ports, as: 'operator' as const, path }
  const { status, json } = await call(update, { ...asked, body: { env: 'SECONDS=9', revision: 1 } })
  expect([status, json.revision]).toEqual([200, 2])
  expect((await call(get, asked)).json).toMatchObject({ compose: shop, env: 'SECONDS=9' })
  await call(update, { ...asked, body: { env: null } })
  expect((await call(get, asked)).json).toMatchObject({ env: null, revision: 3 })
})

test('200: identical files make no revision', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const change = async (body: object) =>
    (await call(update, { ports: here.ports, as: 'operator', path, body })).json
  const overlays = { prod: 'services: {}', test: 'services: {}' }
  const first = await change({ env: 'SECONDS=9', overlays })
  here.ports.clock.advance(1000)
  const { prod, test: tested } = overlays
  for (const body of [
    {},
    { compose: shop },
    { env: 'SECONDS=9', overlays: { test: tested, prod }, revision: 2 },
  ]) {
    expect(await change(body)).toEqual(first)
  }
  expect((await change({ env: 'SECONDS=9 ' })).revision).toBe(3)
  const stale = { compose: shop, revision: 2 }
  const asked = { ports: here.ports, as: 'operator' as const, path }
  expect((await call(update, { ...asked, body: stale })).status).toBe(409)
})

test('409: a stale revision changes nothing', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const asked = { ports: here.ports, as: 'operator' as const, path }
  await call(update, { ...asked, body: { env: 'A=1', revision: 1 } })
  const { status } = await call(update, { ...asked, body: { env: 'A=2', revision: 1 } })
  expect(status).toBe(409)
  expect((await call(get, asked)).json.env).toBe('A=1')
})

test('409: one of several changes of one revision succeeds', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const answers = await Promise.all(
    ['A=1', 'A=2', 'A=3'].map((env) =>
      call(update, { ports: here.ports, as: 'operator', path, body: { env, revision: 1 } }),
    ),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
})

test('400: an overlay with the reserved name __proto__', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const rawBody = '{"overlays":{"__proto__":"services: {}"}}'
  const { status } = await call(update, { ports: here.ports, as: 'operator', path, rawBody })
  expect(status).toBe(400)
})

test('200: applies all simultaneous changes without a revision', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const change = (body: object) => call(update, { ports: here.ports, as: 'operator', path, body })
  const bodies = [
    { env: 'SECONDS=5' },
    { overlays: { prod: 'services: {}' } },
    { compose: `${shop}# changed\n` },
  ]
  const answers = await Promise.all(bodies.map(change))
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
  const { json } = await call(get, { ports: here.ports, as: 'operator', path })
  expect(json).toMatchObject({ ...bodies[0], ...bodies[1], revision: 4 })
})

test('422: a file that does not load changes nothing', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const asked = { ports: here.ports, as: 'operator' as const, path }
  expect((await call(update, { ...asked, body: { compose: 'services: [' } })).status).toBe(422)
  expect((await call(get, asked)).json).toMatchObject({ compose: shop, revision: 1 })
})
