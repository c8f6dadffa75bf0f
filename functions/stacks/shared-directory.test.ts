import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import {
  givenContainer,
  givenHost,
  givenStack,
  type World,
  world,
} from '../../local/harness/world.ts'
import create from './create.ts'
import deploy from './deploy.ts'

const compose = 'services: {web: {image: "busybox:latest", command: sleep 60}}'

/** A stack that an admin adopted from a directory that is not named after it. */
async function givenAdopted(here: World, directory: string, host?: string) {
  await givenStack(here, 'grafana', { compose, host })
  const stack = present(await here.ports.stacks.find('grafana'))
  await here.ports.stacks.replace({ ...stack, adopted: true, directory })
}

const creating = ({ ports }: World, name: string, as: 'operator' | 'admin', host?: string) =>
  call(create, { ports, as, body: { name, compose, host } })

test('409: a stack is not created in the directory of an adopted one', async () => {
  const here = world()
  await givenAdopted(here, '/opt/stacks/metrics')
  for (const as of ['operator', 'admin'] as const) {
    const { status, text } = await creating(here, 'metrics', as)
    expect([status, text]).toEqual([
      409,
      expect.stringContaining('/opt/stacks/metrics is the directory of stack grafana'),
    ])
  }
  expect((await creating(here, 'other', 'operator')).status).toBe(201)
})

test('403: nor around or inside one, without stacks:privileged', async () => {
  for (const directory of ['/opt/stacks/metrics/grafana', '/opt/stacks']) {
    const here = world()
    await givenAdopted(here, directory)
    expect((await creating(here, 'metrics', 'operator')).status).toBe(403)
    expect((await creating(here, 'metrics', 'admin')).status).toBe(201)
  }
})

test('409: nor is it moved to the host where it would be', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenAdopted(here, '/opt/stacks/metrics', 'far')
  expect((await creating(here, 'metrics', 'operator')).status).toBe(201)
  const path = { name: 'metrics' }
  const moved = { ports: here.ports, as: 'admin' as const, path, body: { host: 'far' } }
  expect((await call(deploy, moved)).status).toBe(409)
})

test('409: one that an earlier version created there is not deployed', async () => {
  const here = world()
  expect((await creating(here, 'metrics', 'operator')).status).toBe(201)
  await givenAdopted(here, '/opt/stacks/metrics')
  const path = { name: 'metrics' }
  expect((await call(deploy, { ports: here.ports, as: 'operator', path, body: {} })).status).toBe(
    409,
  )
})

test('403: a first deploy gets no files of a container that controls the host', async () => {
  const socket = '/var/run/docker.sock:/var/run/docker.sock'
  const path = { name: 'portainer' }
  for (const [binds, status] of [
    [[socket, '/opt/stacks/portainer/data:/data'], 403],
    [[socket, '/opt/stacks/other/data:/data'], 200],
    [['/opt/stacks/portainer/data:/data'], 200],
  ] as const) {
    const here = world()
    await givenContainer(here, 'by-hand', { hostConfig: { Binds: binds } })
    expect((await creating(here, 'portainer', 'operator')).status).toBe(201)
    const request = { ports: here.ports, path, body: {} }
    expect((await call(deploy, { ...request, as: 'operator' })).status).toBe(status)
    expect((await call(deploy, { ...request, as: 'admin' })).status).toBe(200)
  }
})
