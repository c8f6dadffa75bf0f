import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import login from '../auth/login.ts'
import create from './create.ts'

const body = { username: 'Anna', password: 'correct horse battery', role: 'operator' }

test('201: a user who can log in', async () => {
  const ports = memoryPorts()
  const { status, json } = await call(create, { body, ports, as: 'admin' })
  expect(status).toBe(201)
  expect(json).toMatchObject({
    username: 'Anna',
    role: 'operator',
    email: null,
    scope_tags: [],
    mfa_enabled: false,
    disabled: false,
    locked_until: null,
    last_login_at: null,
  })
  const { username, password } = body
  expect((await call(login, { body: { username, password }, ports })).status).toBe(200)
})

test('201: scope tags are kept once each, in order', async () => {
  const scoped = { ...body, scope_tags: ['office', 'lab', 'office'], email: 'anna@example.org' }
  const { json } = await call(create, { body: scoped, as: 'admin' })
  expect(json).toMatchObject({ scope_tags: ['lab', 'office'], email: 'anna@example.org' })
})

test('400: a role that is none, a tag that is none, an unknown field', async () => {
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

test('401: nobody is signed in', async () => {
  expect((await call(create, { body })).status).toBe(401)
})

test('403: the roles that manage no users', async () => {
  for (const as of ['operator', 'viewer'] as const) {
    expect((await call(create, { body, as })).status).toBe(403)
  }
})

test('403: an admin of some hosts makes nobody who reaches others', async () => {
  const as = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  for (const tags of [undefined, [], ['office'], ['lab', 'office']]) {
    expect((await call(create, { body: { ...body, scope_tags: tags }, as })).status).toBe(403)
  }
  expect((await call(create, { body: { ...body, scope_tags: ['lab'] }, as })).status).toBe(201)
})

test('409: the name is taken, in whatever form', async () => {
  const ports = memoryPorts()
  await call(create, { body, ports, as: 'admin' })
  for (const username of ['Anna', 'ANNA', 'ａnna']) {
    const answer = await call(create, { body: { ...body, username }, ports, as: 'admin' })
    expect(answer.status).toBe(409)
  }
})

test('409: of two at once with one name one is made', async () => {
  const ports = memoryPorts()
  const answers = await Promise.all([
    call(create, { body, ports, as: 'admin' }),
    call(create, { body, ports, as: { username: 'other', role: 'admin' } }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
})

test('400: a role that does not exist is told before a password is hashed', async () => {
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

test('400: the role goes while the password is hashed', async () => {
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
