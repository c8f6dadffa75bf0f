import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import list from './list.ts'

test('200: stacks of all hosts by name; those of a host that does not answer are unknown', async () => {
  const here = world()
  const gone = await givenHost(here, 'gone')
  await givenStack(here, 'web')
  await givenStack(here, 'far', { host: 'gone' })
  await givenStack(here, 'api', { deployed: false })
  gone.off()
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(json.map((one: any) => [one.name, one.host, one.status])).toEqual([
    ['api', 'local', 'not_deployed'],
    ['far', 'gone', 'unknown'],
    ['web', 'local', 'running'],
  ])
})

test('200: stacks of a host whose Engine never answers are unknown after three seconds', async () => {
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
  expect(json.map((one: any) => [one.name, one.status])).toEqual([
    ['far', 'unknown'],
    ['web', 'running'],
  ])
})

test('200: those of one host', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here, 'one')
  await givenStack(here, 'two', { host: 'far' })
  const { json } = await call(list, { ports: here.ports, as: 'viewer', query: { host: 'far' } })
  expect(json.map((one: any) => one.name)).toEqual(['two'])
})

test('200: only those in the scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  await givenStack(here, 'one')
  await givenStack(here, 'two', { host: 'far' })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { json } = await call(list, { ports: here.ports, as })
  expect(json.map((one: any) => one.name)).toEqual(['two'])
})

test('404: no such host', async () => {
  const { ports } = world()
  const { status } = await call(list, { ports, as: 'viewer', query: { host: 'mars' } })
  expect(status).toBe(404)
})
