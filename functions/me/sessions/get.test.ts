import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import get from './get.ts'
import list from './list.ts'

async function world() {
  const ports = memoryPorts()
  const as = { token: await signIn(ports, 'viewer') }
  const listed = async () => (await call(list, { ports, as })).json
  const ask = (id: string) => call(get, { ports, as, path: { id } })
  return { ports, as, listed, ask }
}

test('200: returns the session of the request and others of the user', async () => {
  const { ports, listed, ask } = await world()
  ports.clock.advance(1000)
  await signIn(ports, 'viewer')
  const sessions = await listed()
  expect(sessions.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
  for (const session of sessions) expect((await ask(session.id)).json).toEqual(session)
})

test('403: an API token has no sessions', async () => {
  const { ports, as, listed } = await world()
  const [{ id }] = await listed()
  const { token } = (await call(createToken, { ports, as, body: { name: 'ci' } })).json
  expect((await call(get, { ports, as: { token }, path: { id } })).status).toBe(403)
})

test('404: an unknown or ended session, or one of another user', async () => {
  const { ports, listed, ask } = await world()
  await signIn(ports, 'operator')
  const { id: accountId } = await accountOf(ports, 'operator')
  const foreign = present((await ports.sessions.listByAccount(accountId))[0])
  for (const id of ['none', foreign.id]) expect((await ask(id)).status, id).toBe(404)
  const [{ id }] = await listed()
  ports.clock.advance(3_600_000)
  const later = { token: await signIn(ports, 'viewer') }
  expect((await call(get, { ports, as: later, path: { id } })).status).toBe(404)
})
