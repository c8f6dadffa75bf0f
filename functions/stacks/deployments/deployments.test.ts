import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import stop from '../stop.ts'
import get from './get.ts'
import list from './list.ts'

const path = { name: 'shop' }

test('200: newest first', async () => {
  const here = world()
  await givenStack(here)
  here.ports.clock.advance(1000)
  await call(stop, { ports: here.ports, as: 'operator', path })
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer', path })
  expect(status).toBe(200)
  expect(json.map((one: any) => [one.kind, one.status])).toEqual([
    ['stop', 'succeeded'],
    ['deploy', 'succeeded'],
  ])
})

test('200: one of them', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'viewer' as const }
  const [{ id }] = (await call(list, { ...asked, path })).json
  const { status, json } = await call(get, { ...asked, path: { ...path, id } })
  expect([status, json.id]).toEqual([200, id])
})

test('404: a deployment of another stack', async () => {
  const here = world()
  await givenStack(here)
  await givenStack(here, 'other')
  const asked = { ports: here.ports, as: 'viewer' as const }
  const [{ id }] = (await call(list, { ...asked, path })).json
  expect((await call(get, { ...asked, path: { name: 'other', id } })).status).toBe(404)
})

test('404: no such stack or deployment', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'viewer' as const }
  expect((await call(list, { ...asked, path: { name: 'no' } })).status).toBe(404)
  expect((await call(get, { ...asked, path: { ...path, id: 'no' } })).status).toBe(404)
})
