import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import login from '../auth/login.ts'
import { fromAuditRow } from '../core/events/from-audit-row.ts'
import create from './create.ts'

const body = { username: 'Anna', password: 'correct horse battery', role: 'operator' }

test('201: the new user can log in', async () => {
  const ports = memoryPorts()
  const { status, json } = await call(create, { body, ports, as: 'admin' })
  expect(status).toBe(201)
  expect(json).toMatchObject({
    username: 'Anna',
    role: 'operator',
    email: null,
    scope_tags: [],
    has_password: true,
    mfa_enabled: false,
    has_passkeys: false,
    disabled: false,
    locked_until: null,
    last_login_at: null,
  })
  const { username, password } = body
  expect((await call(login, { body: { username, password }, ports })).status).toBe(200)
})

test('201: stores scope tags sorted and without duplicates', async () => {
  const scoped = { ...body, scope_tags: ['office', 'lab', 'office'], email: 'anna@example.org' }
  const { json } = await call(create, { body: scoped, as: 'admin' })
  expect(json).toMatchObject({ scope_tags: ['lab', 'office'], email: 'anna@example.org' })
})

test('201: the audit row and its event name the user', async () => {
  const ports = memoryPorts()
  const { json } = await call(create, { body, ports, as: 'admin', route: 'POST /users' })
  const [row] = (await ports.audit.list({ limit: 1 })).rows
  expect(row).toMatchObject({
    action: 'users.create',
    subject: { kind: 'users', id: json.id, name: 'Anna' },
  })
  expect(fromAuditRow(present(row))?.subject).toEqual({ kind: 'user', id: json.id, name: 'Anna' })
})

test('400: an unknown role, an invalid tag, or an unknown field', async () => {
  const wrong = [
    { role: 'root' },
    { role: 'constructor' },
    { scope_tags: ['-lab'] },
    { scope_tags: 'lab' },
    { password: 'short' },
    { username: 'a\u202eb' },
    { username: 'root\ufe0f' },
    { username: '\u3164' },
    { username: '\ufdfa'.repeat(64) },
    { email: 'anna' },
    { mfa_enabled: true },
  ]
  for (const change of wrong) {
    expect((await call(create, { body: { ...body, ...change }, as: 'admin' })).status).toBe(400)
  }
})

test('403: an admin of some hosts cannot create a user with a wider scope', async () => {
  const as = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  for (const tags of [undefined, [], ['office'], ['lab', 'office']]) {
    expect((await call(create, { body: { ...body, scope_tags: tags }, as })).status).toBe(403)
  }
  expect((await call(create, { body: { ...body, scope_tags: ['lab'] }, as })).status).toBe(201)
})

test('409: the name is taken, in any spelling', async () => {
  const ports = memoryPorts()
  await call(create, { body, ports, as: 'admin' })
  for (const username of ['Anna', 'ANNA', 'ａnna']) {
    const answer = await call(create, { body: { ...body, username }, ports, as: 'admin' })
    expect(answer.status).toBe(409)
  }
})

test('409: one of two simultaneous requests with one name succeeds', async () => {
  const ports = memoryPorts()
  const answers = await Promise.all([
    call(create, { body, ports, as: 'admin' }),
    call(create, { body, ports, as: { username: 'other', role: 'admin' } }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('400: reports an unknown role before hashing the password', async () => {
  const ports = memoryPorts()
  const hashed: string[] = []
  const { hash } = ports.passwords
  ports.passwords.hash = (password) => {
    hashed.push(password)
    return hash(password)
  }
  const given = { ...body, role: 'nothing' }
  expect((await call(create, { ports, body: given, as: 'admin' })).status).toBe(400)
  expect(hashed).toEqual([])
})

test('400: the role is deleted while the password is hashed', async () => {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'reader', permissions: [], createdAt: 0 })
  const { hash } = ports.passwords
  ports.passwords.hash = async (password) => {
    await ports.roles.remove('reader')
    return hash(password)
  }
  const given = { ...body, role: 'reader' }
  expect((await call(create, { ports, body: given, as: 'admin' })).status).toBe(400)
  expect(await ports.accounts.findByUsername('anna')).toBeUndefined()
})

test('409: stops a process whose lock expired before it writes', async () => {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'reader', permissions: ['stacks:read'], createdAt: 0 })
  const { find } = ports.roles
  ports.roles.find = (name) => {
    ports.clock.advance(6000)
    return find(name)
  }
  const { status } = await call(create, { body: { ...body, role: 'reader' }, ports, as: 'admin' })
  expect(status).toBe(409)
  expect(await ports.accounts.findByUsername('anna')).toBeUndefined()
})
