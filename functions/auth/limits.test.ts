import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import setup from '../setup/create.ts'
import passkeyLogin from './browser/passkey.ts'
import login from './login.ts'
import logout from './logout.ts'
import refresh from './refresh.ts'

test.each([
  ['login', login],
  ['a login with a passkey', passkeyLogin],
  ['refresh', refresh],
  ['logout', logout],
  ['setup', setup],
])('400: %s reads at most 16 KiB of an anonymous request', async (_name, endpoint) => {
  const body = { username: 'a'.repeat(17_000), password: 'p', refresh_token: 'r', secret: 's' }
  const { status, json } = await call(endpoint as typeof login, { body })
  expect([status, json.error]).toEqual([400, 'the body is larger than 16384 bytes'])
})
