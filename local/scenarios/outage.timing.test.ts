/** Timing: every route fails within 3 s of an outage and works within 2 s of its end. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { type OwnStore, startOwnStore } from '../harness/own-store.ts'
import { present } from '../harness/present.ts'
import {
  api,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
  until,
} from '../harness/service.ts'

let own: OwnStore
let place: Place
let running: Running
let token: string

beforeAll(async () => {
  own = await startOwnStore()
  place = newPlace(own.env)
  running = await startIn(place)
  token = await setUpAdmin(place, running)
})

afterAll(async () => {
  await place.remove()
  await own.remove()
})

/** Bodies that are valid enough to reach the store. */
const bodies: Record<string, unknown> = {
  'POST /auth/login': { username: 'admin', password: 'wrong password' },
  'POST /auth/refresh': {
    refresh_token: `csr_${'a'.repeat(36)}.${'b'.repeat(22)}.${'c'.repeat(43)}`,
  },
  'POST /setup': { secret: 'x'.repeat(24), username: 'eve', password: 'password' },
}

/** Queries that a route needs before it reads the store. */
const queries: Record<string, string> = {
  'GET /auth/oidc/{id}/login': '?redirect_uri=http://127.0.0.1:9/',
  'GET /auth/oidc/{id}/callback': '?state=x&code=y',
}

/** Every route that can be called without changing anything, with or without a credential. */
const asked = routesOf(routes)
  .map(({ method, path }) => {
    const route = `${method} ${path}`
    return { method, path, body: bodies[route], query: queries[route] ?? '' }
  })
  .filter(({ method, body }) => method === 'GET' || body !== undefined)
  .filter(({ path }) => !/^\/(health|openapi|docs|agents)/.test(path))

async function askAll() {
  const begun = performance.now()
  const answers = await Promise.all(
    asked.map(async ({ method, path, body, query }) => {
      const target = path.replace('{name}', 'none').replace('{id}', randomBytes(8).toString('hex'))
      const { status, json } = await api(running, method, target + query, { token, body })
      return { route: `${method} ${path}`, status, json }
    }),
  )
  return { answers, ms: performance.now() - begun }
}

const expectOut = ({ answers, ms }: Awaited<ReturnType<typeof askAll>>) => {
  for (const { route, status, json } of answers) {
    expect([route, status, json]).toEqual([route, 500, { error: expect.any(String) }])
  }
  // The timeout of a request is 2.5 s. The rest is a margin for a busy machine.
  expect(ms).toBeLessThan(3500)
}

const expectBack = async () => {
  const begun = performance.now()
  await until(
    () => api(running, 'GET', '/me', { token }),
    ({ status }) => status === 200,
    10,
  )
  return performance.now() - begun
}

/** Waits until cached reads, which are at most a second old, have expired. */
const forgotten = () => new Promise((resolve) => setTimeout(resolve, 1100))

test('500: with a store that hangs every route fails within 3 s, and works within 2 s of its return', async () => {
  process.kill(present(own.store.pid()), 'SIGSTOP')
  try {
    await forgotten()
    expectOut(await askAll())
  } finally {
    process.kill(present(own.store.pid()), 'SIGCONT')
  }
  expect(await expectBack()).toBeLessThan(2000)
})

test('500: with a store that is down every route fails; it returns with all its data', async () => {
  const before = present(own.store.pid())
  process.kill(before, 'SIGSTOP')
  await forgotten()
  process.kill(before, 'SIGKILL')
  expectOut(await askAll())
  await until(
    async () => own.store.pid(),
    (pid) => pid !== undefined && pid !== before,
  )
  await expectBack()
  expect((await api(running, 'GET', '/users', { token })).json).toHaveLength(1)
})
