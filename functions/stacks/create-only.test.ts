import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import start from './services/start.ts'
import update from './update.ts'

const ask = ({ ports }: World, body: object = {}) => ({
  ports,
  as: 'operator' as const,
  path: { name: 'shop' },
  body,
})

const busy = 'image: busybox:latest, command: sleep 60'
const compose = (more = '') => `services:
  db: {${busy}${more}}
  web: {${busy}, depends_on: [db]}
  mail: {${busy}}
`

const states = ({ engine }: World) =>
  Object.fromEntries(
    [...engine.state.containers.values()].map(({ name, state }) => [name, state]).sort(),
  )

const steps = ({ steps }: Json): string[] =>
  steps.map(({ action, kind, name }: Json) => `${action} ${kind} ${name}`)

test('200: without a start, a deploy only creates containers; `start` starts them', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: compose(), deployed: false })
  const created = await call(deploy, ask(here, { services: ['web'], start: false }))
  expect(created.json.status).toBe('succeeded')
  expect(states(here)).toEqual({ 'shop-db-1': 'created', 'shop-web-1': 'created' })
  const started = await call(start, { ...ask(here), path: { name: 'shop', service: 'web' } })
  expect(started.json.status).toBe('succeeded')
  expect(states(here)).toEqual({ 'shop-db-1': 'running', 'shop-web-1': 'running' })
})

test('200: without a start, changed containers are replaced and others run on', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: compose() })
  await call(update, { ...ask(here, { compose: compose(', hostname: other') }) })
  const { json } = await call(deploy, ask(here, { start: false }))
  expect(json.status).toBe('succeeded')
  expect(states(here)).toEqual({
    'shop-db-1': 'created',
    'shop-mail-1': 'running',
    'shop-web-1': 'running',
  })
  expect((await call(deploy, ask(here))).json.status).toBe('succeeded')
  expect(states(here)['shop-db-1']).toBe('running')
})

const unused = `${compose()}
networks: { back: {}, named: { name: others }, front: { external: true } }
volumes: { data: {}, kept: { external: true } }
`

test('200: with all resources, networks and volumes that nothing uses are created', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: unused })
  expect(steps((await call(deploy, ask(here))).json)).toEqual([])
  const { json } = await call(deploy, ask(here, { all_resources: true }))
  expect(json.status).toBe('succeeded')
  expect(steps(json).sort()).toEqual([
    ...['create network others', 'create network shop_back', 'create volume shop_data'],
  ])
})

test('403: with all resources, a network of a stack that the caller may not read is refused', async () => {
  const here = world()
  const other = `services: { a: {${busy}, networks: [one]} }\nnetworks: { one: { name: others } }\n`
  await givenStack(here, 'other', { compose: other })
  await givenStack(here, 'shop', { compose: unused })
  const as = await givenRole(here, ['stacks:create', 'stacks:deploy'])
  expect((await call(deploy, { ...ask(here), as })).status).toBe(200)
  const { status, json } = await call(deploy, { ...ask(here, { all_resources: true }), as })
  expect([status, json.error]).toEqual([403, expect.stringContaining('networks.named')])
})
