import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { call } from '../../../local/harness/call.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import list from './list.ts'

test('200: lists the caller’s sessions, latest use first, and marks the current one', async () => {
  const ports = memoryPorts()
  await signIn(ports, 'viewer')
  await signIn(ports, 'admin')
  ports.clock.advance(1000)
  const { json, text } = await call(list, { ports, as: 'viewer' })
  expect(json.map((session: { current: boolean }) => session.current)).toEqual([true, false])
  expect(json[0]).toMatchObject({ ip: '127.0.0.1', user_agent: 'test' })
  expect(text).not.toMatch(/hash/i)
})

test('200: omits ended sessions', async () => {
  const ports = memoryPorts()
  await signIn(ports, 'viewer')
  ports.clock.advance(3_600_000)
  expect((await call(list, { ports, as: 'viewer' })).json).toHaveLength(1)
})

test('403: an API token has no sessions', async () => {
  const ports = memoryPorts()
  const { token } = (await call(createToken, { body: { name: 'ci' }, ports, as: 'admin' })).json
  expect((await call(list, { ports, as: { token } })).status).toBe(403)
})
