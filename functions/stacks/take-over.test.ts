import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import { noInstallation } from '../core/owners/installation.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'

const path = { name: 'shop' }
const compose = `services:
  web:
    image: busybox:latest
    command: sleep 60
    container_name: loose
    network_mode: bridge
    volumes: ["data:/data"]
volumes:
  data: {external: true}
`

/** A stack that was never deployed, and a container with the name of its service's container. */
async function held(labels: Record<string, string> = {}) {
  const here = world()
  const { ports, engine } = here
  engine.state.volumes.set('data', { name: 'data', labels: {} })
  const id = await givenContainer(here, 'loose', { hostConfig: { Binds: ['data:/data'] }, labels })
  await call(create, { ports, as: 'admin', body: { ...path, compose } })
  const request = { ports, as: 'admin' as const, path }
  return { ...here, id, request }
}

test('409: without take_over, the name of a container of no project is taken', async () => {
  const { request } = await held()
  expect((await call(plan, { ...request, body: {} })).status).toBe(409)
  expect((await call(deploy, { ...request, body: {} })).status).toBe(409)
})

test('200: the plan replaces one container, and the deploy does', async () => {
  const { request, engine, id } = await held()
  const body = { take_over: true }
  const { json } = await call(plan, { ...request, as: 'viewer', body })
  const steps = json.filter(({ kind }: Json) => kind === 'container')
  expect(steps[0]).toMatchObject({ action: 'recreate', reason: 'taken over' })
  expect(steps.map(({ action }: Json) => action)).not.toContain('create')
  const done = await call(deploy, { ...request, body })
  expect(done.json).toMatchObject({ status: 'succeeded' })
  const found = await engine.container('loose')
  expect(found).toMatchObject({ stack: 'shop', service: 'web', volumeNames: ['data'] })
  expect([found.id === id, (await engine.containers({ all: true })).length]).toEqual([false, 1])
  expect((await call(plan, { ...request, body })).json).toEqual([])
})

test('409: a container of another project is not taken over', async () => {
  const { request, engine, id } = await held({ 'com.docker.compose.project': 'other' })
  expect((await call(deploy, { ...request, body: { take_over: true } })).status).toBe(409)
  expect((await engine.container('loose')).id).toBe(id)
})

test('409: a part of the service is not taken over', async () => {
  const { request, engine, id } = await held()
  engine.own = { ...noInstallation, containers: new Map([[id, 'agent']]) }
  expect((await call(deploy, { ...request, body: { take_over: true } })).status).toBe(409)
  expect((await engine.container('loose')).id).toBe(id)
})

test('403: a plan shows the container only to those who may read containers', async () => {
  const { ports, request } = await held()
  await ports.roles.create({ id: 'reader', permissions: ['stacks:read'], createdAt: 0 })
  const as = { username: 'rita', role: 'reader' }
  const { status, json, text } = await call(plan, { ...request, as, body: { take_over: true } })
  expect([status, json.error]).toEqual([403, expect.stringContaining('containers:read')])
  expect(text).not.toContain('loose')
})

test('403: taking over needs stacks:privileged', async () => {
  const { request } = await held()
  const asked = { ...request, as: 'operator' as const, body: { take_over: true } }
  const { status, json } = await call(deploy, asked)
  expect([status, json.error]).toEqual([403, expect.stringContaining('take_over')])
})
