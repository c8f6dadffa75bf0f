import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import createToken from '../api-tokens/create.ts'
import me from '../me/get.ts'
import remove from './remove.ts'

test('204: the user goes, his sessions and API tokens with him', async () => {
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

test('204: the name is free again', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'anna' })
  await call(remove, { ports, path: { id }, as: 'admin' })
  expect((await accountOf(ports, { username: 'anna' })).id).not.toBe(id)
})

test('401: nobody is signed in', async () => {
  expect((await call(remove, { path: { id: 'any' } })).status).toBe(401)
})

test('403: an operator, and an admin of fewer hosts', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'anna' })
  expect((await call(remove, { ports, path: { id }, as: 'operator' })).status).toBe(403)
  const lab = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ports, path: { id }, as: lab })).status).toBe(403)
})

test('404: there is no such user', async () => {
  expect((await call(remove, { path: { id: 'any' }, as: 'admin' })).status).toBe(404)
})

test('409: the last admin', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, 'admin')
  expect((await call(remove, { ports, path: { id }, as: 'admin' })).status).toBe(409)
})

test('409: of two admins who delete each other at once one stays', async () => {
  const ports = memoryPorts()
  const one = await accountOf(ports, { username: 'one', role: 'admin' })
  const two = await accountOf(ports, { username: 'two', role: 'admin' })
  const removeAs = (id: string, username: string) =>
    call(remove, { ports, path: { id }, as: { username } })
  await Promise.all([removeAs(one.id, 'two'), removeAs(two.id, 'one')])
  expect(await ports.accounts.list()).toHaveLength(1)
})

test('409: a process that was held up writes no more', async () => {
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
