import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { type OwnStore, startOwnStore } from '../harness/own-store.ts'
import {
  api,
  logIn,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'

let own: OwnStore
let place: Place
let one: Running
let other: Running
let token: string
/** The sessions of `people`, in their order. */
let sessions: string[]

beforeAll(async () => {
  own = await startOwnStore()
  place = newPlace(own.env)
  one = await startIn(place)
  token = await setUpAdmin(place, one)
  other = await startIn(place)
  sessions = await Promise.all(people.map(sessionOf))
})

/** An account may have 100 tokens, so several make those of these tests. */
const people = ['admin', 'ann', 'bob', 'cem', 'dee']

/** Adds the user, unless it is the first admin, and signs in. */
async function sessionOf(username: string): Promise<string> {
  if (username === 'admin') return token
  const body = { username, password: place.password }
  await api(one, 'POST', '/users', { token, body: { ...body, role: 'admin' } })
  return (await api(one, 'POST', '/auth/login', { body })).json.access_token
}

afterAll(async () => {
  await place.remove()
  await own.remove()
})

const makeToken = (running: Running, name: string, number = 0) => {
  const session = present(sessions[number % people.length])
  return api(running, 'POST', '/api-tokens', { token: session, body: { name } })
}
const audit = async (query = '') => (await api(one, 'GET', `/audit${query}`, { token })).json
const verdict = async (running: Running) =>
  (await api(running, 'GET', '/audit/verify', { token })).json

test('200 concurrent changes over two processes form one chain, each with its request', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => ({
      username: people[index % people.length],
      ...(await makeToken(index % 2 ? one : other, `token ${index}`, index)),
    })),
  )
  // An overloaded machine may reject some requests. Every successful one must have its row.
  const done = answers.filter(({ status }) => status === 201)
  expect(done.length).toBeGreaterThan(0)
  const rows: Json[] = await audit('?action=api-tokens')
  const byRequest = new Map(rows.map((row) => [row.request_id, row]))
  for (const { headers, json, username } of done) {
    const row = byRequest.get(headers.get('x-request-id'))
    expect(row).toMatchObject({ outcome: 'succeeded', username, status: 201 })
    expect(row.subject).toMatchObject({ kind: 'api-tokens', id: json.id })
  }
  const tokens: unknown[] = (await api(one, 'GET', '/api-tokens', { token })).json
  expect(rows.length).toBeGreaterThanOrEqual(tokens.length)
  for (const running of [one, other]) expect(await verdict(running)).toMatchObject({ ok: true })
})

test('a killed process leaves no change without a row, and the chain intact', async () => {
  const third = await startIn(place)
  const answers = Array.from({ length: 60 }, (_, index) =>
    makeToken(third, `late ${index}`, index).catch(() => undefined),
  )
  await Promise.race(answers)
  third.child.kill('SIGKILL')
  await Promise.all(answers)
  const tokens: { name: string }[] = (await api(one, 'GET', '/api-tokens', { token })).json
  const made = tokens.filter(({ name }) => name.startsWith('late '))
  const rows: Json[] = await audit('?action=api-tokens.create')
  expect(made.length).toBeGreaterThan(0)
  expect(rows.length).toBeGreaterThanOrEqual(tokens.length)
  expect(await verdict(one)).toMatchObject({ ok: true })
  // The killed process may have held the lock of tokens, which ends on its own.
  await until(
    () => makeToken(one, 'after'),
    ({ status }) => status === 201,
  )
  expect(await verdict(other)).toMatchObject({ ok: true })
})

test('changes nothing without the store, and continues the chain with it', async () => {
  await own.store.stop()
  expect((await makeToken(one, 'lost')).status).toBe(500)
  await own.startAgain()
  await until(
    () => makeToken(one, 'found'),
    ({ status }) => status === 201,
  )
  const tokens: { name: string }[] = (await api(one, 'GET', '/api-tokens', { token })).json
  expect(tokens.map(({ name }) => name)).not.toContain('lost')
  expect(await verdict(other)).toMatchObject({ ok: true })
})

test('audits rejected attempts, and a scan without a credential does not flood it', async () => {
  const scan = Array.from({ length: 300 }, (_, index) => api(other, 'GET', `/stacks/none-${index}`))
  expect(new Set((await Promise.all(scan)).map(({ status }) => status))).toEqual(new Set([401]))
  const body = { username: 'admin', password: 'not the password' }
  const wrong = await api(one, 'POST', '/auth/login', { body })
  expect(wrong.status).toBe(401)
  const id = wrong.headers.get('x-request-id')
  const refused = await until(
    () => audit('?action=auth.login'),
    (rows) => rows.some((row: Json) => row.request_id === id),
  )
  const row = refused.find((one: Json) => one.request_id === id)
  expect(row).toMatchObject({ outcome: 'refused', status: 401, username: 'admin' })
  const scanned = await audit('?action=stacks.read')
  expect(scanned.length).toBeLessThanOrEqual(10)
  await logIn(place, one)
  expect(await verdict(one)).toMatchObject({ ok: true })
})
