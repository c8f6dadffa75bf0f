import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { passkeyWorld } from '../../local/harness/passkeys.ts'
import { accountOf, signIn } from '../../local/harness/sign-in.ts'
import createToken from '../api-tokens/create.ts'
import listTokens from '../api-tokens/list.ts'
import removeToken from '../api-tokens/remove.ts'
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

/** Returns the world with an API token of the user, and requests with tokens. */
async function withToken() {
  const here = await world()
  const { ports, anna } = here
  const make = async () =>
    (await call(createToken, { ports, body: { name: 'ci' }, as: { username: anna.username } })).json
  const use = async ({ token }: { token: string }) =>
    (await call(me, { ports, as: { token } })).status
  return { ...here, make, use, made: await make() }
}

test('200: a reset of the password deletes the passkeys, and other changes keep them', async () => {
  const { ports, anna, add, signInWith } = await passkeyWorld()
  const { device } = await add()
  const change = (body: object) => call(update, { ports, path: { id: anna.id }, body, as: 'admin' })
  await change({ email: 'anna@example.org' })
  expect((await signInWith(device)).status).toBe(200)
  ports.clock.advance(1000)
  await change({ password: 'a new password' })
  expect((await signInWith(device)).status).toBe(401)
  expect(await ports.passkeys.list()).toEqual([])
})

test('200: a reset of the password ends all API tokens of the user, and no others', async () => {
  const { ports, anna, change, make, use, made } = await withToken()
  const body = { name: 'other' }
  const other = (await call(createToken, { ports, body, as: { username: 'bert' } })).json
  expect((await change({ password: 'a new password' })).status).toBe(200)
  expect([await use(made), await use(other)]).toEqual([401, 200])
  expect(await ports.apiTokens.list(anna.id)).toEqual([])
  expect(await use(await make())).toBe(200)
})

test('200: an API token rests while its user is disabled; other changes leave it', async () => {
  const { change, use, made } = await withToken()
  await change({ disabled: true })
  expect(await use(made)).toBe(401)
  await change({ disabled: false, email: 'a@b.de', role: 'viewer' })
  expect(await use(made)).toBe(200)
})

test('200: two resets at once end what was made before both', async () => {
  const { ports, anna, change, make, use, made } = await withToken()
  const passwords = ['one new password', 'another new password']
  const resets = await Promise.all(passwords.map((password) => change({ password })))
  expect(resets.map(({ status }) => status)).toEqual([200, 200])
  expect(await use(made)).toBe(401)
  expect((await ports.accounts.find(anna.id))?.tokenSeries).toBe(2)
  expect(await use(await make())).toBe(200)
})

test('200: a reset refuses the token from its write on, before the record is removed', async () => {
  const { ports, anna, change, use, made } = await withToken()
  const { removeByAccount } = ports.sessions
  let during: number | undefined
  ports.sessions.removeByAccount = async (id) => {
    during = await use(made)
    expect(await ports.apiTokens.list(anna.id)).toHaveLength(1)
    return removeByAccount(id)
  }
  await change({ password: 'a new password' })
  expect(during).toBe(401)
})

test('200: a reset whose process dies before it removes the records ends the tokens too', async () => {
  const { ports, anna, change, use, made } = await withToken()
  const { list } = ports.apiTokens
  ports.apiTokens.list = () => Promise.reject(new Error('the process died'))
  expect((await change({ password: 'a new password' })).status).toBe(500)
  ports.apiTokens.list = list
  expect(await use(made)).toBe(401)
  const as = { username: anna.username }
  expect((await call(listTokens, { ports, as })).json).toEqual([])
  expect((await call(removeToken, { ports, path: { id: made.id }, as })).status).toBe(204)
})

test('200: a reset ends a token that is made at the same time', async () => {
  const { ports, change, make, use } = await withToken()
  const { create } = ports.apiTokens
  ports.apiTokens.create = async (token) => {
    ports.apiTokens.create = create
    await change({ password: 'a new password' })
    return create(token)
  }
  expect(await use(await make())).toBe(401)
})

test('200: a reset keeps the token that its user makes right after it', async () => {
  const { ports, change, make, use } = await withToken()
  const { list } = ports.apiTokens
  let next: { token: string } | undefined
  ports.apiTokens.list = async (id) => {
    ports.apiTokens.list = list
    next = await make()
    return list(id)
  }
  await change({ password: 'a new password' })
  expect(await use(present(next))).toBe(200)
})

test('400: an unknown field or an invalid value', async () => {
  const { change } = await world()
  for (const body of [{ id: 'x' }, { role: 'root' }, { disabled: 'no' }, { password: 'short' }]) {
    expect((await change(body)).status).toBe(400)
  }
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
