import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import type { Json } from '../../local/harness/json.ts'
import { givenStack, world } from '../../local/harness/world.ts'
import logs from './logs.ts'

const path = { name: 'talk' }
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
})

test('404: unknown service', async () => {
  const here = world()
  await givenStack(here, 'talk', { compose: compose.replaceAll('busybox', 'busybox:latest') })
  const query = { service: 'three' }
  expect((await call(logs, { ports: here.ports, as: 'viewer', path, query })).status).toBe(404)
})

test('404: unknown stack', async () => {
  const { ports } = world()
  expect((await call(logs, { ports, as: 'viewer', path })).status).toBe(404)
})
