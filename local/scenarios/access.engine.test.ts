import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import {
  api,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'

const password = 'correct horse battery'
let place: Place
let one: Running
let other: Running
let root: string

beforeAll(async () => {
  place = newPlace()
  one = await startIn(place)
  other = await startIn(place)
  root = await setUpAdmin(place, one)
})
afterAll(() => place.remove())

const as = (token: string, body?: unknown) => ({ token, body })

async function logIn(username: string, running = one) {
  const { json } = await api(running, 'POST', '/auth/login', { body: { username, password } })
  return json as { access_token: string; refresh_token: string }
}

async function makeUser(username: string, given: object) {
  const made = await api(one, 'POST', '/users', as(root, { username, password, ...given }))
  expect(made.status).toBe(201)
  return made.json.id as string
}

test('one admin remains when many delete each other through two processes', async () => {
  const names = ['ada', 'bea', 'cleo', 'dora']
  const ids: string[] = []
  for (const name of names) ids.push(await makeUser(name, { role: 'admin' }))
  const tokens = [root]
  for (const name of names) tokens.push((await logIn(name)).access_token)
  ids.push((await api(one, 'GET', '/me', { token: root })).json.id)
  const ways = [
    ['PUT', { role: 'viewer' }],
    ['PUT', { disabled: true }],
    ['PUT', { scope_tags: ['lab'] }],
    ['DELETE', undefined],
  ] as const
  const orders = ids.flatMap((id) => ways.map(([method, body]) => ({ id, method, body })))
  const statuses = await Promise.all(
    orders.map(async ({ id, method, body }, at) => {
      const token = present(tokens[at % tokens.length])
      const running = at % 2 ? one : other
      return (await api(running, method, `/users/${id}`, as(token, body))).status
    }),
  )
  expect(orders).toHaveLength(20)
  expect(statuses.filter((status) => ![200, 204, 401, 403, 404, 409].includes(status))).toEqual([])
  const left: string[] = []
  for (const token of tokens) {
    const { status, json } = await api(one, 'GET', '/me', { token })
    if (status === 200 && json.role === 'admin' && json.scope_tags.length === 0) left.push(token)
  }
  expect(left.length).toBeGreaterThan(0)
  root = present(left[0])
  // The remaining admin deletes all other users and is then the last one.
  const { json: users } = await api(one, 'GET', '/users', { token: root })
  const { id: own } = (await api(one, 'GET', '/me', { token: root })).json
  for (const { id } of users) if (id !== own) await api(one, 'DELETE', `/users/${id}`, as(root))
  for (const [method, body] of ways) {
    expect((await api(other, method, `/users/${own}`, as(root, body))).status).toBe(409)
  }
})

test('changes in one process take effect in the other soon after', async () => {
  const role = { name: 'reader', permissions: ['stacks:read'] }
  expect((await api(one, 'POST', '/roles', as(root, role))).status).toBe(201)
  const id = await makeUser('rita', { role: 'reader' })
  const session = await logIn('rita', other)
  const made = await api(other, 'POST', '/api-tokens', as(session.access_token, { name: 'ci' }))
  const ask = async (token: string, path = '/stacks') =>
    (await api(other, 'GET', path, { token })).status
  const both = () => Promise.all([ask(session.access_token), ask(made.json.token)])
  const become = (wanted: number[]) => until(both, (answer) => String(answer) === String(wanted))
  await become([200, 200])
  const change = async (method: string, path: string, body?: unknown) => {
    const { status } = await api(one, method, path, as(root, body))
    expect([200, 204]).toContain(status)
  }
  await change('PUT', '/roles/reader', { permissions: ['containers:read'] })
  await become([403, 403])
  await change('PUT', '/roles/reader', { permissions: ['stacks:read'] })
  await become([200, 200])
  await change('PUT', `/users/${id}`, { disabled: true })
  await become([401, 401])
  await change('PUT', `/users/${id}`, { disabled: false })
  // Disabling the account ended its session for good. The token works again with the account.
  await become([401, 200])
  await change('PUT', '/hosts/local', { tags: ['lab'] })
  await change('PUT', `/users/${id}`, { scope_tags: ['office'] })
  const local = () => ask(made.json.token, '/stacks?host=local')
  await until(local, (status) => status === 403)
  await change('PUT', '/hosts/local', { tags: ['office'] })
  await until(local, (status) => status === 200)
  await change('DELETE', `/api-tokens/${made.json.id}`)
  await until(
    () => ask(made.json.token),
    (status) => status === 401,
  )
  await change('DELETE', `/users/${id}`)
  await change('DELETE', '/roles/reader')
})

test('a setting changed in one process takes effect in the other; a pinned one does not change', async () => {
  const pinned = newPlace({
    ...place.env,
    SERVICE_AUTH_SESSION_IDLE_MINUTES: '7',
  })
  const third = await startIn(pinned)
  try {
    const key = 'auth.lockout_max_attempts'
    const shown = async (running: Running) =>
      (await api(running, 'GET', '/settings', { token: root })).json
    expect((await api(one, 'PUT', '/settings', as(root, { [key]: 2 }))).status).toBe(200)
    for (const running of [other, third])
      await until(
        () => shown(running),
        (all) => all[key] === 2,
      )
    const guess = { body: { username: 'nobody', password: 'a guess' } }
    const statuses = []
    for (let tries = 0; tries < 3; tries += 1) {
      statuses.push((await api(other, 'POST', '/auth/login', guess)).status)
    }
    expect(statuses).toEqual([401, 401, 423])
    const idle = { 'auth.session_idle_minutes': 9 }
    expect((await api(third, 'PUT', '/settings', as(root, idle))).status).toBe(409)
    expect((await shown(third))['auth.session_idle_minutes']).toBe(7)
    expect((await shown(one))['auth.session_idle_minutes']).toBe(60)
  } finally {
    await pinned.remove()
  }
})
