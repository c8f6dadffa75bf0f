import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import list from './list.ts'

test('200: lists stacks of all hosts by name, with unknown status if the host does not respond', async () => {
  const here = world()
  const gone = await givenHost(here, 'gone')
  await givenStack(here, 'web')
  await givenStack(here, 'far', { host: 'gone' })
  await givenStack(here, 'api', { deployed: false })
  gone.off()
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(json.map((one: Json) => [one.name, one.host, one.status])).toEqual([
    ['api', 'local', 'not_deployed'],
    ['far', 'gone', 'unknown'],
    ['web', 'local', 'running'],
  ])
})

test('200: the status is unknown after three seconds without an answer from the host', async () => {
  const here = world()
  const mute = await givenHost(here, 'mute')
  await givenStack(here, 'web')
  await givenStack(here, 'far', { host: 'mute' })
  const asked = new Promise<void>((resolve) => {
    mute.engine.containers = () => {
      resolve()
      return new Promise(() => {})
    }
  })
  const answer = call(list, { ports: here.ports, as: 'viewer' })
  await asked
  // The other host answers meanwhile.
  await new Promise(setImmediate)
  here.ports.clock.advance(3000)
  const { json } = await answer
  expect(json.map((one: Json) => [one.name, one.status])).toEqual([
    ['far', 'unknown'],
    ['web', 'running'],
  ])
})

test('200: filters by host', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here, 'one')
  await givenStack(here, 'two', { host: 'far' })
  const { json } = await call(list, { ports: here.ports, as: 'viewer', query: { host: 'far' } })
  expect(json.map((one: Json) => one.name)).toEqual(['two'])
})

test('200: lists only stacks in scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  await givenStack(here, 'one')
  await givenStack(here, 'two', { host: 'far' })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { json } = await call(list, { ports: here.ports, as })
  expect(json.map((one: Json) => one.name)).toEqual(['two'])
})
