import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import get from './get.ts'

test('200: returns a container, with its environment values for an operator', async () => {
  const here = world()
  const id = await givenContainer(here, 'one', { env: ['KEY=secret'] })
  const { status, json } = await call(get, { ports: here.ports, as: 'operator', path: { id } })
  expect(status).toBe(200)
  expect(json.name).toBe('one')
  expect(json.env).toContain('KEY=secret')
})

test('200: a viewer sees the names of environment variables, not the values', async () => {
  const here = world()
  const id = await givenContainer(here, 'one', { env: ['KEY=secret'] })
  const { json, text } = await call(get, { ports: here.ports, as: 'viewer', path: { id } })
  expect(json.env).toContain('KEY')
  expect(text).not.toContain('secret')
})

test.each(['../../version', 'abc/exec?x=', '', '.hidden', 'a'.repeat(200)])(
  '400: %j is not a container ID',
  async (id) => {
    const { ports } = world()
    expect((await call(get, { ports, as: 'viewer', path: { id } })).status).toBe(400)
  },
)
