import { expect, test } from 'vitest'
import type { Json } from '../../../adapters/testing/json.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import stop from '../stop.ts'
import get from './get.ts'
import list from './list.ts'

const path = { name: 'shop' }

test('200: lists the newest first', async () => {
  const here = world()
  await givenStack(here)
  here.ports.clock.advance(1000)
  await call(stop, { ports: here.ports, as: 'operator', path })
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer', path })
  expect(status).toBe(200)
  expect(json.map((one: Json) => [one.kind, one.status])).toEqual([
    ['stop', 'succeeded'],
    ['deploy', 'succeeded'],
  ])
})

test('200: lists the deployments of a time range', async () => {
  const { ports, ...here } = world()
  await givenStack({ ports, ...here })
  ports.clock.advance(60_000)
  await call(stop, { ports, as: 'operator', path })
  const kinds = async (query: Record<string, string>) =>
    (await call(list, { ports, as: 'viewer', path, query })).json.map(({ kind }: Json) => kind)
  const between = new Date(ports.clock.now() - 30_000).toISOString()
  expect(await kinds({ until: between })).toEqual(['deploy'])
  expect(await kinds({ since: between })).toEqual(['stop'])
  expect(await kinds({ since: between, until: between })).toEqual([])
})

test('200: returns a deployment', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'viewer' as const }
  const [{ id }] = (await call(list, { ...asked, path })).json
  const { status, json } = await call(get, { ...asked, path: { ...path, id } })
  expect([status, json.id]).toEqual([200, id])
})
