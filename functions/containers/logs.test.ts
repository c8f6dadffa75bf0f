import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { print } from '../../adapters/testing/memory/engine-streams.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenStack, world } from '../../local/harness/world.ts'
import logs from './logs.ts'

test('200: returns the last lines, oldest first', async () => {
  const here = world()
  const id = await givenContainer(here, 'one', { command: ['sh', '-c', 'echo a; echo b; echo c'] })
  const { status, json } = await call(logs, {
    ports: here.ports,
    as: 'viewer',
    path: { id },
    query: { tail: 2 },
  })
  expect(status).toBe(200)
  expect(json.map((one: Json) => one.line)).toEqual(['b', 'c'])
})

test('200: pages back through the log', async () => {
  const here = world()
  const id = await givenContainer(here, 'one')
  print(here.engine.state, id, 'a', 'b', 'c', 'd')
  const read = async (query: Record<string, string | number>) =>
    (await call(logs, { ports: here.ports, as: 'viewer', path: { id }, query })).json
  const last = await read({ tail: 2 })
  const until = last[0].time
  const older = await read({ tail: 2, until })
  expect(older.map((one: Json) => one.line)).toEqual(['b', 'c'])
  expect(await read({ since: older[0].time, until: older[0].time })).toMatchObject([{ line: 'b' }])
  expect(await read({ until: '2000-01-01T00:00:00Z' })).toEqual([])
})

test('200: with a time and no number of lines, all lines since then up to the most', async () => {
  const here = world()
  const id = await givenContainer(here, 'one')
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)
  print(here.engine.state, id, 'first')
  const read = (query: Record<string, string>) =>
    call(logs, { ports: here.ports, as: 'viewer', path: { id }, query })
  const since = (await read({})).json[0].time
  print(here.engine.state, id, ...lines(999))
  const whole = await read({ since })
  expect(whole.json).toHaveLength(1000)
  expect(whole.headers['x-result-truncated']).toBeUndefined()
  print(here.engine.state, id, 'one more')
  const cut = await read({ since })
  expect(cut.headers['x-result-truncated']).toBe('true')
  expect(cut.json.map((one: Json) => one.line)).toEqual([...lines(999), 'one more'])
  expect((await read({})).json).toHaveLength(100)
})

test.each([
  { tail: 'many' },
  { tail: '-1' },
  { tail: 1001 },
  { since: 'yesterday' },
  { until: 'now' },
])('400: %j', async (query) => {
  const { ports } = world()
  const answer = await call(logs, { ports, as: 'viewer', path: { id: 'no' }, query })
  expect(answer.status).toBe(400)
})

test('409: the log driver of the container does not support reading', async () => {
  const here = world()
  const compose =
    'services: {a: {image: "busybox:latest", command: sleep 60, logging: {driver: none}}}'
  await givenStack(here, 'mute', { compose })
  const path = { id: 'mute-a-1' }
  const { status, json } = await call(logs, { ports: here.ports, as: 'viewer', path })
  expect(status).toBe(409)
  expect(json.error).toBe(
    'the log of the container cannot be read: its log driver (none) does not support it',
  )
})
