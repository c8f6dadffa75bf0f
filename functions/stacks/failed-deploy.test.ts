import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, shop, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import deploy from './deploy.ts'
import getDeployment from './deployments/get.ts'
import get from './get.ts'
import plan from './plan.ts'
import rollback from './rollback.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const ask = ({ ports }: World, body: Json = {}) => ({ ports, as: 'operator' as const, path, body })

/** A stack that runs with the overlay `prod`; the overlay `next` needs an image to be pulled. */
async function withOverlays() {
  const here = world()
  await givenStack(here)
  const overlays = {
    prod: 'services: {web: {environment: {MODE: prod}}}',
    next: 'services: {web: {image: "nginx:2"}}',
    lost: 'services: {web: {image: "lost:1"}}',
  }
  await call(update, ask(here, { overlays }))
  here.ports.clock.advance(1000)
  const deployed = await call(deploy, ask(here, { environment: 'prod' }))
  expect(deployed.json.status).toBe('succeeded')
  here.ports.clock.advance(60_000)
  const stack = async () => (await call(get, { ports: here.ports, as: 'viewer', path })).json
  return { ...here, stack, first: deployed.json }
}

test('200: a deploy that fails before its first step leaves the stack as it was', async () => {
  const here = await withOverlays()
  const before = await here.stack()
  expect(before).toMatchObject({ status: 'running', environment: 'prod' })
  const { json } = await call(deploy, ask(here, { environment: 'lost' }))
  expect(json).toMatchObject({ status: 'failed', error: expect.stringContaining('lost:1') })
  const { last_deployment, ...after } = await here.stack()
  const { last_deployment: _, ...unchanged } = before
  expect(after).toEqual(unchanged)
  expect(last_deployment).toEqual({
    id: json.id,
    kind: 'deploy',
    status: 'failed',
    error: json.error,
    finished_at: json.finished_at,
  })
})

test('200: the first deploy fails before its first step: still not deployed', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false, compose: shop.replaceAll('busybox', 'lost') })
  expect((await call(deploy, ask(here))).json.status).toBe('failed')
  const { json } = await call(get, { ports: here.ports, as: 'viewer', path })
  expect(json).toMatchObject({
    status: 'not_deployed',
    environment: null,
    deployed_at: null,
    last_deployment: { status: 'failed' },
  })
})

test('200: a pull that fails leaves nothing half-made', async () => {
  const here = world()
  const compose = 'services: {db: {image: busybox}, web: {image: "lost:1"}}'
  await givenStack(here, 'shop', { deployed: false, compose })
  const { json } = await call(deploy, ask(here))
  expect(json.status).toBe('failed')
  expect(new Set(here.engine.executed.map(({ action }) => action))).toEqual(new Set(['pull']))
  expect(await call(get, { ports: here.ports, as: 'viewer', path })).toMatchObject({
    json: { status: 'not_deployed' },
  })
})

test('200: a pull that works and a plan that then fails leave the stack as it was', async () => {
  const here = await withOverlays()
  const before = await here.stack()
  const { observe } = here.engine
  let pulled = false
  const { execute } = here.engine
  here.engine.execute = async (step, signal) => {
    const outcome = await execute(step, signal)
    pulled ||= step.action === 'pull'
    return outcome
  }
  here.engine.observe = (project) => {
    if (pulled) throw internalError('the Engine is gone')
    return observe(project)
  }
  const { json } = await call(deploy, ask(here, { environment: 'next' }))
  expect(json).toMatchObject({ status: 'failed', error: expect.stringContaining('is gone') })
  expect(await here.stack()).toMatchObject({
    status: 'running',
    environment: 'prod',
    deployed_at: before.deployed_at,
  })
})

test('200: a deploy that fails in a step has changed the stack', async () => {
  const here = await withOverlays()
  const before = await here.stack()
  here.engine.failing = (step) =>
    step.action === 'start' && step.name === 'shop-web-1'
      ? internalError('the port is taken')
      : undefined
  await call(deploy, ask(here, { environment: 'next' }))
  expect(await here.stack()).toMatchObject({
    environment: 'next',
    deployed_at: before.deployed_at,
    status: 'partial',
    last_deployment: { status: 'failed' },
  })
})

test('200: a rollback that fails before its first step keeps the files', async () => {
  const here = await withOverlays()
  await call(deploy, ask(here, { environment: 'next' }))
  const before = await here.stack()
  const { observe } = here.engine
  here.engine.failing = (step) => (step.kind === 'image' ? internalError('no registry') : undefined)
  here.engine.observe = observe
  const web = present(before.services)
  expect(web.running).toBe(2)
  here.engine.failing = () => internalError('out of luck')
  const { json } = await call(rollback, ask(here, { deployment_id: here.first.id }))
  expect(json.status).toBe('failed')
  const after = await here.stack()
  expect(after.last_deployment).toMatchObject({ kind: 'rollback', status: 'failed' })
})

test('200: every failed step has its own error, in the deployment and in its record', async () => {
  const here = world()
  await givenStack(here, 'shop', {
    deployed: false,
    compose:
      'services: {a: {image: busybox:latest, command: sleep 9}, b: {image: busybox:latest, command: sleep 9}}',
  })
  here.engine.failing = (step) =>
    step.action === 'start' ? internalError(`no luck with ${step.name}`) : undefined
  const { json } = await call(deploy, ask(here))
  const failed = json.steps.filter(({ status }: Json) => status === 'failed')
  expect(failed.map(({ name, error }: Json) => [name, error])).toEqual([
    ['shop-a-1', 'no luck with shop-a-1'],
    ['shop-b-1', 'no luck with shop-b-1'],
  ])
  for (const step of json.steps) expect(step.error === null).toBe(step.status !== 'failed')
  const id = { ...path, id: json.id }
  const kept = await call(getDeployment, { ports: here.ports, as: 'viewer', path: id })
  expect(kept.json.steps).toEqual(json.steps)
})

const warning = expect.stringContaining('The last deploy used the environment prod.')

test('200: a deploy without an environment after one with: no overlay, and a warning', async () => {
  const here = await withOverlays()
  const planned = (await call(plan, ask(here))).json
  expect(planned[0]).toMatchObject({
    action: 'warning',
    kind: 'environment',
    name: 'prod',
    reason: warning,
  })
  const { json } = await call(deploy, ask(here))
  expect(json).toMatchObject({ status: 'succeeded', environment: null })
  expect(json.warnings).toContainEqual(warning)
  expect(await here.stack()).toMatchObject({ environment: null })
  expect((await call(plan, ask(here))).json).toEqual([])
  expect((await call(deploy, ask(here))).json.warnings).toEqual([])
})

test('202: the warning is in the first response', async () => {
  const here = await withOverlays()
  const { json } = await call(deploy, { ...ask(here), query: { wait: false } })
  expect(json.warnings).toContainEqual(warning)
  await here.ports.background.settled()
})

test('200: no warning for another environment, after a stop of a plain stack, or a rollback', async () => {
  const here = await withOverlays()
  const next = await call(deploy, ask(here, { environment: 'next' }))
  expect(next.json.warnings).toEqual([])
  const { json: listed } = await call(plan, ask(here, { environment: 'next' }))
  expect(listed).toEqual([])
  await call(stop, ask(here))
  expect((await call(plan, ask(here))).json[0]).toMatchObject({ action: 'warning', name: 'next' })
})

test('200: a deploy that cannot be planned after its pulls reports the pulls', async () => {
  const here = await withOverlays()
  const { resolve } = here.engine
  let hasPulled = false
  const { execute } = here.engine
  here.engine.execute = async (step, signal) => {
    const outcome = await execute(step, signal)
    hasPulled ||= step.action === 'pull'
    return outcome
  }
  here.engine.resolve = async (wanted) => {
    if (hasPulled) throw internalError('the Engine does not respond', { reason: 'engine-busy' })
    return resolve(wanted)
  }
  const { json } = await call(deploy, ask(here, { environment: 'next' }))
  expect(json).toMatchObject({ status: 'failed', error: 'the Engine does not respond' })
  expect(json.steps).toMatchObject([{ action: 'pull', name: 'nginx:2', status: 'done' }])
})
