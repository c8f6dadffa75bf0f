import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import type { Json } from '../../local/harness/json.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
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

test('404: unknown container', async () => {
  const { ports } = world()
  expect((await call(logs, { ports, as: 'viewer', path: { id: 'no' } })).status).toBe(404)
})

test.each([{ tail: 'many' }, { tail: '-1' }, { tail: 1001 }, { since: 'yesterday' }])(
  '400: %j',
  async (query) => {
    const { ports } = world()
    const answer = await call(logs, { ports, as: 'viewer', path: { id: 'no' }, query })
    expect(answer.status).toBe(400)
  },
)
