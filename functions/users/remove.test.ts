import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import createToken from '../api-tokens/create.ts'
import me from '../me/get.ts'
import create from './create.ts'
import remove from './remove.ts'

test('204: deletes the user with all sessions and API tokens', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'anna' })
  const session = await signIn(ports, { username: 'anna' })
  const as = { token: session }
  const { token } = (await call(createToken, { ports, body: { name: 'ci' }, as })).json
  expect((await call(remove, { ports, path: { id }, as: 'admin' })).status).toBe(204)
  for (const credential of [session, token]) {
    expect((await call(me, { ports, as: { token: credential } })).status).toBe(401)
  }
  expect(await ports.sessions.listByAccount(id)).toEqual([])
  expect(await ports.apiTokens.list(id)).toEqual([])
})

test('204: frees the name', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'anna' })
  const body = { username: 'anna', password: 'correct horse battery', role: 'viewer' }
  const again = () => call(create, { ports, body, as: 'admin' })
  expect((await again()).status).toBe(409)
  await call(remove, { ports, path: { id }, as: 'admin' })
  const { status, json } = await again()
  expect([status, json.username, json.id === id]).toEqual([201, 'anna', false])
})

test('403: an operator, or an admin of fewer hosts', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'anna' })
  expect((await call(remove, { ports, path: { id }, as: 'operator' })).status).toBe(403)
  const lab = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ports, path: { id }, as: lab })).status).toBe(403)
})

test('409: the last admin', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, 'admin')
  expect((await call(remove, { ports, path: { id }, as: 'admin' })).status).toBe(409)
})

test('409: of two admins who delete each other one remains', async () => {
  const ports = memoryPorts()
  const one = await accountOf(ports, { username: 'one', role: 'admin' })
  const two = await accountOf(ports, { username: 'two', role: 'admin' })
  const removeAs = (id: string, username: string) =>
    call(remove, { ports, path: { id }, as: { username } })
  await Promise.all([removeAs(one.id, 'two'), removeAs(two.id, 'one')])
  expect(await ports.accounts.list()).toHaveLength(1)
})

test('409: stops a process whose lock expired before it writes', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'other', role: 'admin' })
  const { list } = ports.accounts
  ports.accounts.list = () => {
    ports.clock.advance(6000)
    return list()
  }
  expect((await call(remove, { ports, path: { id }, as: 'admin' })).status).toBe(409)
  expect((await ports.accounts.find(id))?.role).toBe('admin')
})
