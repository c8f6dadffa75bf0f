import { expect, test } from 'vitest'
import { memorySettings } from '../../adapters/testing/memory/settings.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { defaultSettings } from '../core/records/settings.ts'
import get from './get.ts'
import update from './update.ts'

test('200: changes the given values and keeps the others', async () => {
  const ports = memoryPorts()
  const change = (body: object) => call(update, { ports, as: 'admin', body })
  await change({ 'auth.lockout_max_attempts': 3 })
  const { status, json } = await change({ 'auth.session_idle_minutes': 5 })
  const changed = { 'auth.lockout_max_attempts': 3, 'auth.session_idle_minutes': 5 }
  expect([status, json]).toEqual([200, { ...defaultSettings, ...changed }])
  expect((await change({})).json).toEqual(json)
  expect((await change(json)).json).toEqual(json)
})

test('200: null resets a setting to its default, and what is in force is not stored', async () => {
  const ports = memoryPorts()
  const saved: object[] = []
  const { save } = ports.settings
  ports.settings.save = async (values) => {
    saved.push(values)
    await save(values)
  }
  const change = (body: object) => call(update, { ports, as: 'admin', body })
  const { json } = await change({ 'auth.lockout_max_attempts': 3, 'registry.allow': ['nas'] })
  const { status } = await change({ ...json, 'auth.lockout_max_attempts': null })
  const expected = { ...defaultSettings, 'registry.allow': ['nas'] }
  expect([status, await ports.settings.get()]).toEqual([200, expected])
  expect(saved.at(-1)).toEqual({ 'auth.lockout_max_attempts': null })
})

test('200: a value that another process changed a moment ago is stored again', async () => {
  const ports = memoryPorts()
  const key = 'auth.lockout_max_attempts'
  const known = await ports.settings.get()
  await ports.settings.save({ [key]: known[key] + 1 })
  const settings = { ...ports.settings, get: async () => known }
  const body = { [key]: known[key] }
  expect((await call(update, { ports: { ...ports, settings }, as: 'admin', body })).status).toBe(
    200,
  )
  expect((await ports.settings.get())[key]).toBe(known[key])
})

test('400: an unknown key or an invalid value', async () => {
  const wrong = [
    { 'auth.unknown': 1 },
    { 'auth.lockout_max_attempts': 0 },
    { 'auth.lockout_max_attempts': 2.5 },
    { 'auth.lockout_max_attempts': '5' },
    { 'auth.session_absolute_hours': 1e9 },
    { auth: { lockout_max_attempts: 5 } },
    [],
  ]
  for (const body of wrong) {
    expect((await call(update, { as: 'admin', body })).status, JSON.stringify(body)).toBe(400)
  }
})

test('200: stores registries in the form used by image names', async () => {
  const body = { 'registry.allow': ['https://LOCALHOST:5000/v2/', 'nas'] }
  const { json } = await call(update, { as: 'admin', body })
  expect(json['registry.allow']).toEqual(['localhost:5000', 'nas'])
  for (const wrong of ['a/b', '', 'user@nas', 'a b']) {
    const sent = { 'registry.allow': [wrong] }
    expect((await call(update, { as: 'admin', body: sent })).status, wrong).toBe(400)
  }
})

test('200: stores what may be entered with, in one form', async () => {
  const key = 'stacks.enterable_binds'
  const body = { [key]: [' /srv/my media ', 'cap_add: NET_ADMIN', 'network_mode:host', 'gpus'] }
  const { json } = await call(update, { as: 'admin', body })
  expect(json[key]).toEqual(['/srv/my media', 'cap_add:NET_ADMIN', 'network_mode:host', 'gpus'])
  for (const wrong of ['srv/media', 'privileged', 'pid:host', 'cap_add:', '/a\nb', '']) {
    const sent = { [key]: [wrong] }
    expect((await call(update, { as: 'admin', body: sent })).status, wrong).toBe(400)
  }
})

test('403: settings that open hosts or registries require stacks:privileged', async () => {
  const ports = memoryPorts()
  const permissions = ['settings:manage' as const]
  await ports.roles.create({ id: 'tuner', permissions, createdAt: 0 })
  const as = { username: 'tim', role: 'tuner' }
  const change = (body: object) => call(update, { ports, as, body })
  expect((await change({ 'metrics.sample_seconds': 20 })).status).toBe(200)
  expect((await change(defaultSettings)).status).toBe(200)
  const lists = ['registry.allow', 'stacks.shared_volumes', 'stacks.shared_networks']
  for (const [key, entry] of [
    ...lists.map((list) => [list, 'localhost']),
    ['stacks.enterable_binds', '/srv/media'],
  ] as const) {
    const { status, json } = await change({ [key]: [entry] })
    const error = expect.stringMatching(new RegExp(`^${key}: .*stacks:privileged`))
    expect([status, json.error]).toEqual([403, error])
  }
})

test('401 and 403: no credential, no permission, or an admin of some hosts', async () => {
  const body = { 'auth.lockout_max_attempts': 3 }
  expect((await call(update, { body })).status).toBe(401)
  expect((await call(update, { body, as: 'operator' })).status).toBe(403)
  const limited = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(update, { body, as: limited })).status).toBe(403)
})

test('409: a value set by the file or the environment; changes nothing', async () => {
  const settings = memorySettings({ 'auth.lockout_max_attempts': 2 })
  const ports = memoryPorts({ settings })
  const body = { 'auth.lockout_max_attempts': 3, 'auth.session_idle_minutes': 5 }
  const { status, json } = await call(update, { ports, as: 'admin', body })
  expect([status, json.error]).toEqual([409, expect.stringContaining('auth.lockout_max_attempts')])
  const before = { ...defaultSettings, 'auth.lockout_max_attempts': 2 }
  expect(await settings.get()).toEqual(before)
  const reset = await call(update, {
    ports,
    as: 'admin',
    body: { 'auth.lockout_max_attempts': null },
  })
  expect(reset.status).toBe(409)
  const sentBack = { ...before, 'auth.session_idle_minutes': 5 }
  expect((await call(update, { ports, as: 'admin', body: sentBack })).json).toEqual(sentBack)
})

test('409: of two changes of one version at the same time, one is made', async () => {
  const ports = memoryPorts()
  const etag = present((await call(get, { ports, as: 'admin' })).headers.etag)
  const change = (value: number) =>
    call(update, {
      ports,
      as: 'admin',
      body: { 'auth.lockout_max_attempts': value },
      headers: { 'If-Match': etag },
    })
  const answers = await Promise.all([3, 4, 6].map(change))
  const made = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ headers }) => headers['x-error-reason'] === 'stale-revision')
  expect([made.length, refused.length]).toEqual([1, 2])
  expect(await ports.settings.get()).toEqual(made[0]?.json)
})

test('409: another process changes the settings, and holds the lock', async () => {
  const ports = memoryPorts()
  ports.clock.sleep = async (milliseconds) => ports.clock.advance(milliseconds)
  await ports.leases.acquire('settings', 'another', 10_000)
  const body = { 'auth.lockout_max_attempts': 3 }
  const { status, headers } = await call(update, { ports, as: 'admin', body })
  expect([status, headers['x-error-reason']]).toEqual([409, 'lease-held'])
  expect(await ports.settings.get()).toEqual(defaultSettings)
})
