import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import update from './update.ts'

const path = { name: 'shop' }

test('200: returns the steps of a deploy with their reasons and changes nothing', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { status, json } = await call(plan, { ports: here.ports, as: 'viewer', path, body: {} })
  expect(status).toBe(200)
  const lines = json.map((step: Json) => `${step.action} ${step.kind} ${step.name}`)
  expect(lines).toContain('create network shop_default')
  expect(lines).toContain('create volume shop_data')
  expect(lines).toContain('start container shop-web-1')
  expect(json.every((step: Json) => step.reason.length > 0)).toBe(true)
  expect(here.engine.executed).toEqual([])
})

test('200: returns no steps for an unchanged stack, and a reason for each change', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path, body: {} }
  expect((await call(plan, asked)).json).toEqual([])
  const compose = shop.replace('command: sleep 3600', 'command: sleep 7200')
  await call(update, { ...asked, body: { compose } })
  const { json } = await call(plan, asked)
  expect(json.find((step: Json) => step.action === 'recreate').reason).toMatch(/config/)
})

test('200: names the fields that changed, of what was deployed last', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path, body: {} }
  const saved = async (command: string) => {
    const compose = shop.replace('command: sleep 3600', `command: ${command}\n    tty: true`)
    await call(update, { ...asked, body: { compose, env: 'SECONDS=7' } })
  }
  await saved('sleep 1')
  // Only the last deployment counts, not the revisions between.
  await saved('sleep 3600')
  const { json } = await call(plan, asked)
  const reasons = json
    .filter(({ action }: Json) => action === 'recreate')
    .map(({ reason }: Json) => reason)
  expect(reasons).toEqual(['config changed: command', 'config changed: tty'])
})

test('200: names no fields if the files of earlier deployments do not load', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path, body: {} }
  await call(update, { ...asked, body: { compose: shop.replace('sleep 3600', 'sleep 1') } })
  const stack = present(await here.ports.stacks.find('shop'))
  const written = { ...stack.files, compose: await here.ports.texts.put('services: [') }
  await here.ports.stacks.replace({ ...stack, written })
  const reason = async () => {
    const { json } = await call(plan, asked)
    return json.find(({ action }: Json) => action === 'recreate').reason
  }
  expect(await reason()).toBe('config changed: command')
  here.ports.deployments.listByStack = async () => []
  expect(await reason()).toBe('config changed')
})

const two = (word: string) => `services:
  db: {image: "busybox:latest", command: sleep 60}
  ${word}: {image: "busybox:latest", command: sleep 60}
`

/** Returns the rows of a plan with these options as texts. */
async function rows({ ports }: World, body: object) {
  const { json } = await call(plan, { ports, as: 'operator', path, body })
  return json.map((row: Json) => `${row.action} ${row.kind} ${row.name} (${row.reason})`.trim())
}

test('200: shows what each option of a deploy does', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: `${two('app')}volumes: {spare: }\n` })
  expect(await rows(here, { timeout_seconds: 5 })).toEqual([])
  expect(await rows(here, { pull: 'always' })).toEqual([
    expect.stringMatching(/^pull image busybox/),
  ])
  const forced = await rows(here, { force_recreate: true, services: ['db'] })
  expect(forced.filter((row: string) => row.startsWith('recreate'))).toEqual([
    expect.stringMatching(/_shop-db-1 \(forced\)$/),
  ])
  expect(await rows(here, { all_resources: true })).toEqual([
    'create volume shop_spare (no volume)',
  ])
  const created = await rows(here, { force_recreate: true, start: false })
  expect(created.some((row: string) => row.startsWith('start '))).toBe(false)
})

test('200: a plan with options is what a deploy with them does', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: two('app') })
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose: two('blog') } })
  const body = { remove_orphans: true, force_recreate: true, start: false }
  const planned = await rows(here, body)
  const { json } = await call(deploy, { ports: here.ports, as: 'operator', path, body })
  const done = json.steps.map(
    (row: Json) => `${row.action} ${row.kind} ${row.name} (${row.reason})`,
  )
  expect(planned).toEqual(done)
  expect(planned).toContain('remove container shop-app-1 (orphan)')
})

test('200: warns of orphans, and says which option removes them', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: two('app') })
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose: two('blog') } })
  expect((await rows(here, {}))[0]).toBe(
    'warning stack  (containers of services that are not in the project: shop-app-1: a deploy with `remove_orphans` removes them)',
  )
  const removed = await rows(here, { remove_orphans: true })
  expect(removed.some((row: string) => row.startsWith('warning'))).toBe(false)
})

test('200: warns of containers whose profiles are not active', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: two('app') })
  const compose = two('app').replace('app: {', 'app: {profiles: [debug], ')
  await call(update, { ports: here.ports, as: 'operator', path, body: { compose } })
  expect(await rows(here, {})).toContain(
    'warning stack  (containers of services whose profiles are not active keep running: shop-app-1)',
  )
})

test('422: the environment has no overlay', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const body = { environment: 'prod' }
  expect((await call(plan, { ports: here.ports, as: 'viewer', path, body })).status).toBe(422)
})

test('409: names an ambiguous resource on the host', async () => {
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
  '422: a viewer asks for the plan of a stack that exceeds the limit %s',
  async (limit, compose) => {
    const here = world()
    await givenStack(here, 'shop', { deployed: false })
    const digest = await here.ports.texts.put(compose)
    const stack = present(await here.ports.stacks.find('shop'))
    await here.ports.stacks.replace({
      ...stack,
      files: { ...stack.files, compose: digest, overlays: {} },
    })
    const { status, json } = await call(plan, { ports: here.ports, as: 'viewer', path, body: {} })
    expect(status).toBe(422)
    expect(json.error).toContain(`the limit \`${limit}\``)
  },
)

test('200: truncates a plan of more than 1000 steps and reports it', async () => {
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
