import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, world } from '../../local/harness/world.ts'
import { broken } from '../core/errors.ts'
import deploy from './deploy.ts'
import get from './get.ts'
import remove from './remove.ts'

const path = { name: 'shop' }

test('204: containers, networks and files go, volumes stay', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  expect((await call(remove, asked)).status).toBe(204)
  const { containers, networks, volumes, files } = here.engine.state
  expect([containers.size, networks.has('shop_default'), files.size]).toEqual([0, false, 0])
  expect([...volumes.keys()]).toContain('shop_data')
  expect((await call(get, asked)).status).toBe(404)
  expect(await here.ports.deployments.listByStack('shop', 9)).toEqual([])
})

test('204: volumes=true deletes them too', async () => {
  const here = world()
  await givenStack(here)
  await call(remove, { ports: here.ports, as: 'operator', path, query: { volumes: true } })
  expect(here.engine.state.volumes.size).toBe(0)
})

test('204: a stack that was never up', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { status } = await call(remove, { ports: here.ports, as: 'operator', path })
  expect(status).toBe(204)
})

test('204: nobody brings it up before it is forgotten', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  const { writeFiles } = here.engine
  const meanwhile: number[] = []
  here.engine.writeFiles = async (...given) => {
    meanwhile.push((await call(deploy, { ...asked, body: {} })).status)
    return writeFiles(...given)
  }
  expect((await call(remove, asked)).status).toBe(204)
  expect(meanwhile).toEqual([409])
  expect(here.engine.state.containers.size).toBe(0)
})

test('500: a stack that cannot be taken down stays, with the reason', async () => {
  const here = world()
  await givenStack(here)
  here.engine.failing = (step) => (step.action === 'remove' ? broken('busy') : undefined)
  const asked = { ports: here.ports, as: 'operator' as const, path }
  const { status, json } = await call(remove, asked)
  expect([status, json.error]).toEqual([500, expect.stringContaining('busy')])
  expect((await call(get, asked)).status).toBe(200)
})

test('404: no such stack', async () => {
  const { ports } = world()
  expect((await call(remove, { ports, as: 'operator', path })).status).toBe(404)
})

test('403: a viewer', async () => {
  const { ports } = world()
  expect((await call(remove, { ports, as: 'viewer', path })).status).toBe(403)
})
