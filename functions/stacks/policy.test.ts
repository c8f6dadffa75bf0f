import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { allowedSamples, forbiddenSamples } from '../compose/testing/forbidden-samples.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const ask = ({ ports }: World, body: object, as: 'admin' | 'operator' = 'operator') => ({
  ports,
  as,
  path,
  body,
})
const saying = (place: string) => ({ error: expect.stringContaining(` ${place}: `) })

test.each(forbiddenSamples)('403: create and update: $name', async ({ compose, path: place }) => {
  const here = world()
  const made = await call(create, { ...ask(here, { name: 'shop', compose }), path: undefined })
  expect([made.status, made.json]).toEqual([403, saying(place)])
  await givenStack(here, 'shop', { deployed: false })
  const changed = await call(update, ask(here, { compose }))
  expect([changed.status, changed.json]).toEqual([403, saying(place)])
})

const readable = forbiddenSamples.filter(({ unreadable }) => !unreadable)

test.each(readable)('403: deploy of a stack that an admin saved: $name', async (sample) => {
  const here = world()
  await givenStack(here, 'shop', { compose: sample.compose, deployed: false })
  const done = await call(deploy, ask(here, {}))
  expect([done.status, done.json]).toEqual([403, saying(sample.path)])
  expect(here.engine.executed).toEqual([])
})

test.each(allowedSamples)('201: an operator can save %s', async (compose) => {
  const body = { name: 'shop', compose }
  expect((await call(create, { ports: world().ports, as: 'operator', body })).status).toBe(201)
})

test('403: checks an overlay on create, update and deploy', async () => {
  const here = world()
  const overlays = { prod: 'services: {web: {privileged: true}}' }
  const body = { name: 'shop', compose: shop, overlays }
  const made = await call(create, { ports: here.ports, as: 'operator', body })
  expect([made.status, made.json.error]).toEqual([
    403,
    'compose.prod.yaml:1:18: services.web.privileged: a privileged container: this needs the permission stacks:privileged',
  ])
  await givenStack(here, 'shop', { deployed: false })
  expect((await call(update, ask(here, { overlays }))).status).toBe(403)
  expect((await call(update, ask(here, { overlays }, 'admin'))).status).toBe(200)
  expect((await call(deploy, ask(here, { environment: 'prod' }))).status).toBe(403)
  expect((await call(deploy, ask(here, {}))).json.status).toBe('succeeded')
})

test('an operator can use what the setting allows, until it is withdrawn', async () => {
  const here = world()
  const compose = 'services: {web: {image: "localhost:5000/x"}}'
  here.engine.state.registry.add('localhost:5000/x')
  await givenStack(here, 'shop', { deployed: false })
  const save = () => call(update, ask(here, { compose }))
  const refused = await save()
  expect([refused.status, refused.json]).toEqual([403, saying('services.web.image')])
  await here.ports.settings.save({ 'registry.allow': ['localhost:5000'] })
  expect((await save()).status).toBe(200)
  await here.ports.settings.save({ 'registry.allow': [] })
  expect((await call(deploy, ask(here, {}))).status).toBe(403)
  await here.ports.settings.save({ 'registry.allow': ['localhost:5000'] })
  expect((await call(deploy, ask(here, {}))).json.status).toBe('succeeded')
})

test('403: a variable that widens the access', async () => {
  const here = world()
  const compose = 'services: {web: {image: busybox, volumes: ["$' + '{DIR:-./data}:/data"]}}'
  await givenStack(here, 'shop', { compose, deployed: false })
  expect((await call(update, ask(here, { env: 'DIR=./other' }))).status).toBe(200)
  const { status, json } = await call(update, ask(here, { env: 'DIR=/' }))
  expect([status, json]).toEqual([403, saying('services.web.volumes[0]')])
})

test('reports 422 before 403, and 403 before 409', async () => {
  const here = world()
  await givenStack(here)
  const save = (compose: string, more = {}) => call(update, ask(here, { compose, ...more }))
  const bad = 'services: {web: {image: busybox, privileged: true, ports: [x]}}'
  expect((await save(bad)).status).toBe(422)
  const forbidden = 'services: {web: {image: busybox, privileged: true}}'
  expect((await save(forbidden, { revision: 99 })).status).toBe(403)
  const body = { name: 'shop', compose: forbidden }
  const taken = await call(create, { ports: here.ports, as: 'operator', body })
  expect(taken.status).toBe(403)
})

test('200: an operator can read the plan of such a stack and remove it', async () => {
  const here = world()
  const compose = 'services: {web: {image: "busybox:latest", command: sleep 60, privileged: true}}'
  await givenStack(here, 'shop', { compose })
  expect((await call(plan, ask(here, {}))).json).toEqual([])
  const { ports } = here
  expect((await call(stop, { ports, as: 'operator', path })).status).toBe(200)
})
