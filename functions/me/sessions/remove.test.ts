import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import me from '../get.ts'
import end from './remove.ts'

async function world() {
  const ports = memoryPorts()
  const token = await signIn(ports, 'viewer')
  const { id } = await accountOf(ports, 'viewer')
  const [session] = await ports.sessions.listByAccount(id)
  return { ports, token, path: { id: present(session).id } }
}

test('204: ends the session at once', async () => {
  const { ports, token, path } = await world()
  expect((await call(end, { ports, path, as: 'viewer' })).status).toBe(204)
  expect((await call(me, { ports, as: { token } })).status).toBe(401)
})

test('403: an API token cannot end sessions', async () => {
  const { ports, path } = await world()
  const { token } = (await call(createToken, { body: { name: 'ci' }, ports, as: 'viewer' })).json
  expect((await call(end, { ports, path, as: { token } })).status).toBe(403)
})

test('404: unknown session, or the session of another user', async () => {
  const { ports, token, path } = await world()
  expect((await call(end, { ports, path: { id: 'none' }, as: 'viewer' })).status).toBe(404)
  expect((await call(end, { ports, path, as: 'admin' })).status).toBe(404)
  expect((await call(me, { ports, as: { token } })).status).toBe(200)
})
