import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { print } from '../../adapters/testing/memory/engine-streams.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, world } from '../../local/harness/world.ts'
import logs from './logs.ts'

const path = { name: 'talk' }
/** The log of `one` and of `three` cannot be read. */
const partlyMute = `services:
  one: {image: 'busybox:latest', command: sleep 9, logging: {driver: none}, scale: 2}
  two: {image: 'busybox:latest', command: sh -c 'echo from two; sleep 9'}
  three: {image: 'busybox:latest', command: sleep 9, logging: {driver: none}}
`
const compose = `services:
  one: {image: busybox, command: sh -c 'echo from one; sleep 9'}
  two: {image: busybox, command: sh -c 'echo from two; sleep 9'}
`

test('200: returns the lines of all services with their service and container', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: compose.replaceAll('busybox', 'busybox:latest') })
  const { status, json } = await call(logs, { ports: here.ports, as: 'viewer', path })
  expect(status).toBe(200)
  expect(json.map((line: Json) => [line.service, line.line]).sort()).toEqual([
    ['one', 'from one'],
    ['two', 'from two'],
  ])
})

test('200: filters by service and number of lines', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: compose.replaceAll('busybox', 'busybox:latest') })
  const asked = { ports: here.ports, as: 'viewer' as const, path }
  const one = await call(logs, { ...asked, query: { service: 'one' } })
  expect(one.json.map((line: Json) => line.service)).toEqual(['one'])
  expect((await call(logs, { ...asked, query: { tail: 0 } })).json).toEqual([])
  here.ports.clock.advance(1000)
  print(here.engine.state, 'talk-two-1', 'later')
  const all = (await call(logs, asked)).json
  const before = await call(logs, { ...asked, query: { until: all.at(-2).time } })
  expect(before.json).toEqual(all.slice(0, -1))
})

test('404: unknown service', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: compose.replaceAll('busybox', 'busybox:latest') })
  const query = { service: 'three' }
  expect((await call(logs, { ports: here.ports, as: 'viewer', path, query })).status).toBe(404)
})

test('200: names the services whose log driver does not support reading, and returns the others', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: partlyMute })
  const asked = { ports: here.ports, as: 'viewer' as const, path }
  const { status, json, headers } = await call(logs, asked)
  expect([status, headers['x-unreadable-logs']]).toEqual([200, 'one, three'])
  expect(json.map((line: Json) => line.line)).toEqual(['from two'])
  const two = await call(logs, { ...asked, query: { service: 'two' } })
  expect([two.status, two.headers['x-unreadable-logs']]).toEqual([200, undefined])
})

test('409: no log of the services asked for can be read', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: partlyMute })
  const asked = { ports: here.ports, as: 'viewer' as const, path }
  for (const service of ['one', ['one', 'three']]) {
    const { status, json } = await call(logs, { ...asked, query: { service } })
    expect([status, json.error]).toEqual([
      409,
      'service one: the log of the container cannot be read: its log driver (none) does not support it',
    ])
  }
})

test('200: a service without a container is no reason to refuse the logs', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: partlyMute })
  await here.engine.removeContainer('talk-two-1', { force: true })
  const asked = { ports: here.ports, as: 'viewer' as const, path }
  const { status, json, headers } = await call(logs, asked)
  expect([status, json, headers['x-unreadable-logs']]).toEqual([200, [], 'one, three'])
})

test('200: leaves out a container that is removed between the list and its log', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: compose.replaceAll('busybox', 'busybox:latest') })
  const { containers } = here.engine
  here.engine.containers = async (options) => {
    const listed = await containers(options)
    await here.engine.removeContainer('talk-one-1', { force: true })
    here.engine.containers = containers
    return listed
  }
  const { status, json } = await call(logs, { ports: here.ports, as: 'viewer', path })
  expect([status, json.map((line: Json) => line.line)]).toEqual([200, ['from two']])
})
