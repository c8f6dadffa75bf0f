import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { present } from '../../local/harness/present.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import me from '../me/get.ts'
import update from './update.ts'

async function world() {
  const ports = memoryPorts()
  const anna = await accountOf(ports, { username: 'anna', role: 'operator', scopeTags: ['lab'] })
  const path = { id: anna.id }
  const change = (body: object, as: Parameters<typeof signIn>[1] = 'admin') =>
    call(update, { ports, path, body, as })
  return { ports, anna, change }
}

test('200: changes the given fields and keeps the rest', async () => {
  const { change } = await world()
  expect((await change({ role: 'viewer' })).json).toMatchObject({
    username: 'anna',
    role: 'viewer',
    scope_tags: ['lab'],
  })
  expect((await change({ username: 'Anne', scope_tags: [], email: 'a@b.de' })).json).toMatchObject({
    username: 'Anne',
    role: 'viewer',
    scope_tags: [],
    email: 'a@b.de',
  })
})

test('200: a new role applies to existing sessions', async () => {
  const { ports, anna, change } = await world()
  const token = await signIn(ports, { username: anna.username })
  await change({ role: 'viewer' })
  expect((await call(me, { ports, as: { token } })).json.role).toBe('viewer')
})

test('200: a new password or disabling the user ends all sessions permanently', async () => {
  for (const ending of [{ password: 'a new password' }, { disabled: true }]) {
    const { ports, anna, change } = await world()
    const token = await signIn(ports, { username: anna.username })
    ports.clock.advance(1000)
    expect((await change(ending)).status).toBe(200)
    await change({ disabled: false })
    expect((await call(me, { ports, as: { token } })).status).toBe(401)
  }
})

test('400: an unknown field or an invalid value', async () => {
  const { change } = await world()
  for (const body of [{ id: 'x' }, { role: 'root' }, { disabled: 'no' }, { password: 'short' }]) {
    expect((await change(body)).status).toBe(400)
  }
})

test('403: no permission to manage users', async () => {
  const { change } = await world()
  expect((await change({ role: 'admin' }, 'operator')).status).toBe(403)
  expect((await change({ role: 'admin' }, { username: 'anna' })).status).toBe(403)
})

test('403: an admin of some hosts cannot change users with a wider scope, nor widen a scope', async () => {
  const { ports, change } = await world()
  const lab = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await change({ scope_tags: [] }, lab)).status).toBe(403)
  expect((await change({ role: 'viewer' }, lab)).status).toBe(200)
  const chief = await accountOf(ports, 'admin')
  const body = { password: 'taken over' }
  expect((await call(update, { ports, path: { id: chief.id }, body, as: lab })).status).toBe(403)
})

test('403: users cannot change their own password here', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, 'admin')
  const body = { password: 'a new password' }
  expect((await call(update, { ports, path: { id }, body, as: 'admin' })).status).toBe(403)
})

test('404: unknown user', async () => {
  const request = { path: { id: 'any' }, body: {}, as: 'admin' as const }
  expect((await call(update, request)).status).toBe(404)
})

test('409: the name is taken', async () => {
  const { ports, change } = await world()
  await accountOf(ports, { username: 'bert' })
  expect((await change({ username: 'BERT' })).status).toBe(409)
})

test('409: the last unscoped admin cannot be demoted, disabled or limited', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, 'admin')
  await accountOf(ports, { username: 'off', role: 'admin', disabled: true })
  await accountOf(ports, { username: 'lab', role: 'admin', scopeTags: ['lab'] })
  for (const body of [{ role: 'operator' }, { disabled: true }, { scope_tags: ['lab'] }]) {
    expect((await call(update, { ports, path: { id }, body, as: 'admin' })).status).toBe(409)
  }
})

test('409: of two admins who demote each other one remains', async () => {
  const ports = memoryPorts()
  const one = await accountOf(ports, { username: 'one', role: 'admin' })
  const two = await accountOf(ports, { username: 'two', role: 'admin' })
  const demote = (id: string, username: string) =>
    call(update, { ports, path: { id }, body: { role: 'viewer' }, as: { username } })
  await Promise.all([demote(one.id, 'two'), demote(two.id, 'one')])
  const left = (await ports.accounts.list()).filter(({ role }) => role === 'admin')
  expect(left).toHaveLength(1)
})

test('409: stops a process whose lock expired before it writes', async () => {
  const ports = memoryPorts()
  const { id } = await accountOf(ports, { username: 'other', role: 'admin' })
  const { list } = ports.accounts
  ports.accounts.list = () => {
    ports.clock.advance(6000)
    return list()
  }
  expect(
    (await call(update, { ports, path: { id }, as: 'admin', body: { role: 'viewer' } })).status,
  ).toBe(409)
  expect((await ports.accounts.find(id))?.role).toBe('admin')
})

test('409: a user of an identity provider gets no password, whatever else changes', async () => {
  const ports = memoryPorts()
  const identity = { issuer: 'https://login.example.org', subject: 's-ann' }
  const { id } = await accountOf(ports, { username: 'ann', identity, passwordHash: null })
  const change = (body: object) => call(update, { ports, path: { id }, body, as: 'admin' })
  for (const more of [{}, { role: 'admin' }, { username: 'ann-local' }]) {
    const { status, json } = await change({ password: 'a back door', ...more })
    expect([status, json.error]).toEqual([409, expect.stringContaining('identity provider')])
  }
  expect(await ports.accounts.find(id)).toMatchObject({ role: 'viewer', passwordHash: null })
  const changed = await change({ role: 'operator' })
  expect(changed.json).toMatchObject({ role: 'operator', has_password: false })
})

/**
 * Sets up a manager who may only manage users, and a user with fewer rights. `take` lets the
 * manager set that user's password.
 */
async function withManager() {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'manager', permissions: ['users:manage'], createdAt: 0 })
  await ports.roles.create({ id: 'empty', permissions: [], createdAt: 0 })
  const { id } = await accountOf(ports, { username: 'target', role: 'empty', passwordHash: 'old' })
  const become = async (role: string) => {
    const account = await ports.accounts.find(id)
    await ports.accounts.replace({ ...present(account), role })
  }
  const as = { username: 'mona', role: 'manager' }
  const body = { password: 'taken over by mona' }
  const take = async () => (await call(update, { ports, path: { id }, as, body })).status
  const stored = async () => (await ports.accounts.find(id))?.passwordHash
  return { ports, id, as, become, take, stored }
}

test('403: a user with more rights is refused before the password is hashed', async () => {
  const { ports, become, take, stored } = await withManager()
  await become('admin')
  ports.passwords.hash = async () => {
    throw new Error('it was hashed')
  }
  expect(await take()).toBe(403)
  expect(await stored()).toBe('old')
})

test('403: a user who gains more rights while the password is hashed is not changed', async () => {
  const { ports, become, take, stored } = await withManager()
  const { hash } = ports.passwords
  ports.passwords.hash = async (password) => {
    await become('admin')
    return hash(password)
  }
  expect(await take()).toBe(403)
  expect(await stored()).toBe('old')
})

test('403: cannot reduce the rights of a user with more rights', async () => {
  const { ports, id, as, become } = await withManager()
  await become('admin')
  await accountOf(ports, 'admin')
  for (const body of [{ role: 'empty' }, { role: 'empty', disabled: true }]) {
    expect((await call(update, { ports, path: { id }, as, body })).status).toBe(403)
  }
  expect((await ports.accounts.find(id))?.role).toBe('admin')
})

test('400: reports an unknown role before checking whether the user exists', async () => {
  const answer = await call(update, { path: { id: 'none' }, as: 'admin', body: { role: 'no' } })
  expect(answer.status).toBe(400)
})

test('400: the role is deleted while the password is hashed', async () => {
  const { ports, id } = await withManager()
  await ports.roles.create({ id: 'reader', permissions: [], createdAt: 0 })
  const { hash } = ports.passwords
  ports.passwords.hash = async (password) => {
    await ports.roles.remove('reader')
    return hash(password)
  }
  const body = { role: 'reader', password: 'correct horse battery' }
  expect((await call(update, { ports, path: { id }, as: 'admin', body })).status).toBe(400)
  expect((await ports.accounts.find(id))?.role).toBe('empty')
})
