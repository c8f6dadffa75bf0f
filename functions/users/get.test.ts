import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import login from '../auth/login.ts'
import get from './get.ts'

test('200: returns the user and an active lock', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'anna' })
  const shown = async () => (await call(get, { ports, path: { id }, as: 'admin' })).json
  expect(await shown()).toMatchObject({ id, username: 'anna', locked_until: null })
  const body = { username: 'anna', password: 'a guess' }
  for (let tries = 0; tries < 5; tries += 1) await call(login, { body, ports })
  const until = new Date(ports.clock.now() + 900_000).toISOString()
  expect((await shown()).locked_until).toBe(until)
  ports.clock.advance(900_000)
  expect((await shown()).locked_until).toBe(null)
})

test('403: an operator, whether or not the user exists', async () => {
  expect((await call(get, { path: { id: 'any' }, as: 'operator' })).status).toBe(403)
})

test('404: unknown user', async () => {
  const { status, json } = await call(get, { path: { id: 'any' }, as: 'admin' })
  expect([status, json.error]).toEqual([404, 'there is no such user'])
})
