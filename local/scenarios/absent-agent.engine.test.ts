import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, newPlace, type Running, setUpAdmin, startIn } from '../harness/service.ts'

const place = newPlace()
const stack = 'lost'
const missing = { environment: 'no-such-overlay' }
let running: Running
let token: string

beforeAll(async () => {
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const host = await api(running, 'POST', '/hosts', { token, body: { name: 'never' } })
  const body = { name: stack, host: host.json.host.id, compose: 'services: {a: {image: busybox}}' }
  const made = await api(running, 'POST', '/stacks', { token, body })
  expect(made.status).toBe(201)
})

afterAll(() => place.remove())

// Loading the files fails while the host is unreachable, whichever happens first.
test.each([
  ['POST', `/stacks/${stack}/plan`, missing],
  ['POST', `/stacks/${stack}/deploy`, missing],
  ['POST', `/stacks/${stack}/deploy`, { ...missing, on_drift: 'import' }],
  ['POST', `/stacks/${stack}/stop`, {}],
  ['POST', `/stacks/${stack}/restart`, {}],
  ['POST', `/stacks/${stack}/rollback`, {}],
  ['DELETE', `/stacks/${stack}`, undefined],
])('%s %s on a host whose agent never connected does not crash the service', async (...given) => {
  const [method, path, body] = given
  const { status, json } = await api(running, method, path, { token, body })
  expect([400, 404, 409, 422, 500]).toContain(status)
  expect(json.error).toEqual(expect.any(String))
  expect((await api(running, 'GET', '/health')).status).toBe(200)
})
