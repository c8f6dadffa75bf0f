import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import login from '../auth/login.ts'
import unlock from './unlock.ts'

test('200: a locked user can log in again at once', async () => {
  const ports = memoryPorts()
  const passwordHash = await ports.passwords.hash('password')
  const { id } = await accountOf(ports, { username: 'anna', passwordHash })
  const attempt = async (password: string) =>
    (await call(login, { body: { username: 'anna', password }, ports })).status
  for (let tries = 0; tries < 5; tries += 1) await attempt('a guess')
  expect(await attempt('password')).toBe(423)
  const { status, json } = await call(unlock, { ports, path: { id }, as: 'admin' })
  expect([status, json.locked_until]).toEqual([200, null])
  expect(await attempt('password')).toBe(200)
})

test('403: an admin of some hosts cannot unlock an unscoped user', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'anna' })
  const as = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await call(unlock, { ports, path: { id }, as })).status).toBe(403)
})
