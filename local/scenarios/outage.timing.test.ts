/** Timing: suspends, stops and kills the store of a service. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { routes } from '../../serverless.ts'
import { type OwnStore, startOwnStore } from '../harness/own-store.ts'
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
}

/** Every route that can be called without changing anything, with or without a credential. */
const asked = routesOf(routes)
  .map(({ method, path }) => {
    const route = `${method} ${path}`
    return { method, path, body: bodies[route], query: queries[route] ?? '' }
  })
  .filter(({ method, body }) => method === 'GET' || body !== undefined)
  .filter(({ path }) => !/^\/(health|openapi|docs|agents)/.test(path))
  // A state that was not issued here is refused before the store is asked.
  .filter(({ path }) => path !== '/auth/oidc/{id}/callback')
  // A challenge is made without the store.
  .filter(({ path }) => path !== '/auth/passkeys')

const askAll = () =>
  Promise.all(
    asked.map(async ({ method, path, body, query }) => {
      const target = path.replace('{name}', 'none').replace('{id}', randomBytes(8).toString('hex'))
      const { status, json } = await api(running, method, target + query, { token, body })
      return { route: `${method} ${path}`, status, json }
    }),
  )

/** Asks until no route answers from memory, which some may do for a second. */
async function expectOut() {
  const isOut = ({ status }: { status: number }) => status === 500
  const answers = await until(askAll, (all) => all.every(isOut), 60)
  expect(answers.length).toBeGreaterThan(30)
  for (const { route, json } of answers) {
    expect([route, json]).toEqual([route, { error: expect.any(String) }])
  }
}

const expectBack = async () => {
  const isBack = ({ status }: { status: number }) => status === 200
  await until(() => api(running, 'GET', '/me', { token }), isBack, 60)
  expect((await api(running, 'GET', '/users', { token })).json).toHaveLength(1)
}

test('500: every route fails while the store hangs, and works after it', async () => {
  const pid = present(own.store.pid())
  process.kill(pid, 'SIGSTOP')
  try {
    await expectOut()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await expectBack()
  expect(own.store.pid()).toBe(pid)
})

test('500: every route fails while the store is down, and works when it is back', async () => {
  await own.store.stop()
  await expectOut()
  await own.startAgain()
  await expectBack()
})

test('a store that was killed returns with all its data', async () => {
  const before = present(own.store.pid())
  process.kill(before, 'SIGKILL')
  await until(
    async () => own.store.pid(),
    (pid) => pid !== undefined && pid !== before,
    60,
  )
  await expectBack()
})
