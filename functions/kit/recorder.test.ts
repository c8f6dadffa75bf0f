import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { type As, signIn } from '../../local/harness/sign-in.ts'
import { conflict, forbidden, locked, notFound, unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { actionOf } from './audit-row.ts'
import { endpoint } from './endpoint.ts'

const things = z.object({ name: z.string() })

/** Sets up `DELETE /things/{name}` so that it runs the given function. */
function world(
  run: () => unknown = () => undefined,
  access: 'users:manage' | 'public' = 'users:manage',
) {
  const ports = memoryPorts()
  const remove = endpoint({
    summary: 'Remove a thing',
    access,
    path: things,
    run: run as () => undefined,
  })
  const read = endpoint({
    summary: 'Show a thing',
    access: 'users:manage',
    path: things,
    run: run as () => undefined,
  })
  const send = async (method: 'GET' | 'DELETE', as?: As, ip = '192.0.2.1') => {
    const authorization = as && `Bearer ${await signIn(ports, as)}`
    const http = { method, path: '/things/a', sourceIp: ip, userAgent: 'curl' }
    const response = await (method === 'GET' ? read : remove).with(ports)({
      routeKey: `${method} /things/{name}`,
      rawPath: '/things/a',
      rawQueryString: '',
      headers: { authorization },
      pathParameters: { name: 'a' },
      isBase64Encoded: false,
      requestContext: { requestId: 'r-1', http },
    })
    await ports.audit.flush()
    return response
  }
  const rows = async () => (await ports.audit.list({ limit: 1000 })).rows
  return { ports, send, rows }
}

test('a change is recorded before it begins and before it is answered', async () => {
  const seen: unknown[] = []
  const here = world(async () => void seen.push(...(await here.rows())))
  expect((await here.send('DELETE', 'admin')).statusCode).toBe(204)
  expect(seen).toMatchObject([{ outcome: 'begun', status: null, username: 'admin' }])
  const [row, ...more] = await here.rows()
  expect(more).toEqual([])
  expect(row).toMatchObject({
    ...{ action: 'things.delete', outcome: 'succeeded', status: 204, actor: 'user' },
    ...{ username: 'admin', ip: '192.0.2.1', userAgent: 'curl', requestId: 'r-1', count: 1 },
    ...{ subject: { kind: 'things', id: 'a' }, credential: { kind: 'session' } },
  })
})

test('500: what cannot be recorded does not happen', async () => {
  let done = 0
  const { ports, send } = world(() => {
    done += 1
  })
  ports.audit.append = async () => Promise.reject(new Error('away'))
  expect((await send('DELETE', 'admin')).statusCode).toBe(500)
  expect(done).toBe(0)
})

test('500: what was done and could not be recorded is not answered as a success', async () => {
  const { ports, send, rows } = world(() => {
    ports.audit.append = async () => Promise.reject(new Error('away'))
  })
  const { statusCode, body } = await send('DELETE', 'admin')
  expect([statusCode, JSON.parse(body).error]).toEqual([
    500,
    'the request succeeded, but could not be recorded in the audit log',
  ])
  expect(await rows()).toMatchObject([{ outcome: 'begun' }])
})

test('a change that failed, or was refused on the way, is recorded as that', async () => {
  for (const [failure, outcome] of [
    [notFound('none'), 'failed'],
    [conflict('taken'), 'failed'],
    [forbidden('outside your scope'), 'refused'],
    [new Error('broken'), 'failed'],
  ] as const) {
    const { send, rows } = world(() => Promise.reject(failure))
    const { statusCode } = await send('DELETE', 'admin')
    expect(await rows()).toMatchObject([{ outcome, status: statusCode }])
  }
})

test('a change that was refused at the door is recorded, with who it was if that is known', async () => {
  const { send, rows } = world()
  expect((await send('DELETE', 'viewer')).statusCode).toBe(403)
  expect((await send('DELETE')).statusCode).toBe(401)
  expect(await rows()).toMatchObject([
    { outcome: 'refused', status: 401, actor: 'nobody', username: null, credential: null },
    { outcome: 'refused', status: 403, actor: 'user', username: 'viewer' },
  ])
})

test('reads are recorded only when they are refused', async () => {
  const { send, rows } = world()
  await send('GET', 'admin')
  expect(await rows()).toEqual([])
  await send('GET', 'viewer')
  expect(await rows()).toMatchObject([{ action: 'things.read', outcome: 'refused', status: 403 }])
})

test('of callers without a credential the success is recorded, and what they were refused', async () => {
  expect(await outcomesOf(() => undefined)).toEqual(['succeeded 204'])
  expect(await outcomesOf(() => Promise.reject(unauthenticated('wrong')))).toEqual(['refused 401'])
  expect(await outcomesOf(() => Promise.reject(locked('wait')))).toEqual(['refused 423'])
  expect(await outcomesOf(() => Promise.reject(notFound('none')))).toEqual([])
})

async function outcomesOf(run: () => unknown) {
  const { send, rows } = world(run, 'public')
  await send('DELETE')
  return (await rows()).map(({ outcome, status }) => `${outcome} ${status}`)
}

test('who is refused without end fills no store: he is counted', async () => {
  const { ports, send, rows } = world()
  const { flush } = ports.audit
  ports.audit.flush = async () => {}
  for (let index = 0; index < 100; index += 1) await send('GET')
  for (let index = 0; index < 200; index += 1) await send('GET', undefined, `198.51.100.${index}`)
  await flush()
  const kept = await rows()
  expect(kept.length).toBeLessThan(130)
  expect(kept.reduce((all, { count }) => all + count, 0)).toBe(300)
  expect(kept.find(({ ip, count }) => ip === '192.0.2.1' && count === 90)).toBeDefined()
  expect(kept.find(({ action }) => action === 'refusals')).toMatchObject({ ip: null })
})

test('an action is said by method and path', () => {
  const said = {
    'POST /users': 'users.create',
    'PUT    /users/{id}': 'users.update',
    'DELETE /users/{id}/mfa': 'users.mfa.delete',
    'POST /stacks/{name}/deploy': 'stacks.deploy',
    'PUT /stacks/adopt/{id}/parts/{n}': 'stacks.adopt.parts.update',
    'POST /auth/login': 'auth.login',
    'POST /setup': 'setup.create',
    'GET /stacks/{name}/logs': 'stacks.logs.read',
    'PUT /me/password': 'me.password.update',
    'GET /ws/exec/{id}': 'ws.exec',
    'POST /ws/ticket': 'ws.ticket',
  }
  for (const [routeKey, action] of Object.entries(said)) expect(actionOf(routeKey)).toBe(action)
})

test('what begins with its lease is recorded while that is taken, and not at all when nothing is to change', async () => {
  const { ports, send, rows } = leased(async ({ leases }) => {
    await leases.acquire('stack:a', 'me', 1000)
  })
  expect((await send()).statusCode).toBe(204)
  expect(await rows()).toMatchObject([{ action: 'things.delete', outcome: 'succeeded' }])
  expect((await ports.audit.verify()).rows).toBe(2)
  const idle = leased(async () => {})
  await idle.send()
  expect(await idle.rows()).toMatchObject([{ outcome: 'succeeded' }])
  expect((await idle.ports.audit.verify()).rows).toBe(1)
})

test('500: without its beginning there is no lease, and nothing happens', async () => {
  let done = 0
  const { ports, send } = leased(async ({ leases }) => {
    await leases.acquire('stack:a', 'me', 1000)
    done += 1
  })
  ports.audit.append = async () => Promise.reject(new Error('away'))
  expect((await send()).statusCode).toBe(500)
  expect(done).toBe(0)
  expect(await ports.leases.peek('stack:a')).toMatchObject({ held: false })
})

test('what failed before it began is recorded as failed', async () => {
  const { send, rows } = leased(() => Promise.reject(conflict('another one runs')))
  expect((await send()).statusCode).toBe(409)
  expect(await rows()).toMatchObject([{ outcome: 'failed', status: 409, username: 'admin' }])
})

test('what ends before it is saved has one row of its end, which the answer waits for', async () => {
  let kept = () => {}
  const { ports, send, rows } = leased(async ({ leases }, end) => {
    await leases.acquire('stack:a', 'me', 1000)
    end()
    end()
  })
  const { append } = ports.audit
  ports.audit.append = async (row) => {
    if (row.outcome === 'succeeded') await new Promise<void>((resolve) => (kept = resolve))
    return append(row)
  }
  let answered = false
  const sending = send().finally(() => (answered = true))
  await vi.waitFor(() =>
    expect(ports.leases.peek('stack:a')).resolves.toMatchObject({ held: true }),
  )
  await new Promise(setImmediate)
  expect(answered).toBe(false)
  await vi.waitFor(async () => {
    kept()
    expect(answered).toBe(true)
  })
  expect((await sending).statusCode).toBe(204)
  expect(await rows()).toMatchObject([{ outcome: 'succeeded', status: 204 }])
  expect((await ports.audit.verify()).rows).toBe(2)
})

test('500: what ended and could not be saved, or whose end could not be recorded, says so', async () => {
  const broken = leased(async (_ports, end) => {
    end()
    throw new Error('not saved')
  })
  expect((await broken.send()).statusCode).toBe(500)
  expect(await broken.rows()).toMatchObject([{ outcome: 'failed', status: 500 }])
  const silent = leased(async (_ports, end) => end())
  silent.ports.audit.append = () => Promise.reject(new Error('away'))
  const { statusCode, body } = await silent.send()
  expect([statusCode, body]).toEqual([500, expect.stringContaining('could not be recorded')])
})

test('what is recorded once has one row, and none that succeeded when it failed', async () => {
  const made = once(() => undefined)
  expect((await made.send()).statusCode).toBe(204)
  expect(await made.rows()).toMatchObject([{ outcome: 'succeeded', status: 204 }])
  expect((await made.ports.audit.verify()).rows).toBe(1)
  const failing = once(() => Promise.reject(new Error('away')))
  expect((await failing.send()).statusCode).toBe(500)
  expect(await failing.rows()).toMatchObject([{ outcome: 'failed', status: 500 }])
  expect((await failing.ports.audit.verify()).rows).toBe(1)
})

test('500: what is recorded once and cannot be recorded is not answered', async () => {
  const { ports, send } = once(() => undefined)
  ports.audit.append = () => Promise.reject(new Error('away'))
  expect((await send()).statusCode).toBe(500)
})

/** Sets up a change that has one audit row. */
function once(run: () => unknown) {
  return leased(run as () => Promise<unknown>, { recordedOnce: true })
}

/** Sets up a change that is made under a lease. */
function leased(
  run: (ports: Needs<'leases'>, end: () => void) => Promise<unknown>,
  how: { beginsWithLease?: true; recordedOnce?: true } = { beginsWithLease: true },
) {
  const ports = memoryPorts()
  const remove = endpoint({
    summary: 'Remove a thing',
    access: 'users:manage',
    ...how,
    path: things,
    async run({ end }, given: Needs<'leases'>) {
      await run(given, end)
      return undefined
    },
  })
  const send = async () => {
    const authorization = `Bearer ${await signIn(ports, 'admin')}`
    const http = { method: 'DELETE', path: '/things/a', sourceIp: '192.0.2.1', userAgent: 'curl' }
    return remove.with(ports)({
      routeKey: 'DELETE /things/{name}',
      rawPath: '/things/a',
      rawQueryString: '',
      headers: { authorization },
      pathParameters: { name: 'a' },
      isBase64Encoded: false,
      requestContext: { requestId: 'r-1', http },
    })
  }
  const rows = async () => (await ports.audit.list({ limit: 1000 })).rows
  return { ports, send, rows }
}
