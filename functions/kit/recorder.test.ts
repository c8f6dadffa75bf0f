import { expect, test } from 'vitest'
import { z } from 'zod'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { signIn, type TestCaller } from '../../local/harness/sign-in.ts'
import { conflict, forbidden, locked, notFound, unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
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
  const send = async (method: 'GET' | 'DELETE', as?: TestCaller, ip = '192.0.2.1') => {
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

test('records a change before it begins and before the answer', async () => {
  const seen: unknown[] = []
  const here = world(async () => void seen.push(...(await here.rows())))
  expect((await here.send('DELETE', 'admin')).statusCode).toBe(204)
  expect(seen).toMatchObject([{ outcome: 'begun', status: null, username: 'admin' }])
  const [row, ...more] = await here.rows()
  expect(more).toEqual([])
  expect(row).toMatchObject({
    action: 'things.delete',
    outcome: 'succeeded',
    status: 204,
    actor: 'user',
    username: 'admin',
    ip: '192.0.2.1',
    userAgent: 'curl',
    requestId: 'r-1',
    count: 1,
    subject: { kind: 'things', id: 'a' },
    credential: { kind: 'session' },
  })
})

test('500: does not make a change that cannot be recorded', async () => {
  let done = 0
  const { ports, send } = world(() => {
    done += 1
  })
  ports.audit.append = async () => Promise.reject(new Error('away'))
  expect((await send('DELETE', 'admin')).statusCode).toBe(500)
  expect(done).toBe(0)
})

test('500: does not report success if the outcome could not be recorded', async () => {
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

test('records a change that failed or was refused with its outcome', async () => {
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

test('records a change refused before its handler, with the user if known', async () => {
  const { send, rows } = world()
  expect((await send('DELETE', 'viewer')).statusCode).toBe(403)
  expect((await send('DELETE')).statusCode).toBe(401)
  expect(await rows()).toMatchObject([
    { outcome: 'refused', status: 401, actor: 'nobody', username: null, credential: null },
    { outcome: 'refused', status: 403, actor: 'user', username: 'viewer' },
  ])
})

test('records a read only if it was refused', async () => {
  const { send, rows } = world()
  await send('GET', 'admin')
  expect(await rows()).toEqual([])
  await send('GET', 'viewer')
  expect(await rows()).toMatchObject([{ action: 'things.read', outcome: 'refused', status: 403 }])
})

test('records the success and the refusal of anonymous requests', async () => {
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

test('counts repeated refusals instead of storing each', async () => {
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

test('derives the action from method and path', () => {
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

test('records a change while its lease is acquired, and only its end if no lease is needed', async () => {
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

test('500: acquires no lease and changes nothing if the start cannot be recorded', async () => {
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

test('records a change that failed before it acquired its lease as failed', async () => {
  const { send, rows } = leased(() => Promise.reject(conflict('another one runs')))
  expect((await send()).statusCode).toBe(409)
  expect(await rows()).toMatchObject([{ outcome: 'failed', status: 409, username: 'admin' }])
})

test('500: reports a change whose end could not be recorded', async () => {
  const { ports, send } = leased(async () => {})
  ports.audit.append = () => Promise.reject(new Error('away'))
  const { statusCode, body } = await send()
  expect([statusCode, body]).toEqual([500, expect.stringContaining('could not be recorded')])
})

test('a change recorded once has one row with its outcome', async () => {
  const made = once(() => undefined)
  expect((await made.send()).statusCode).toBe(204)
  expect(await made.rows()).toMatchObject([{ outcome: 'succeeded', status: 204 }])
  expect((await made.ports.audit.verify()).rows).toBe(1)
  const failing = once(() => Promise.reject(new Error('away')))
  expect((await failing.send()).statusCode).toBe(500)
  expect(await failing.rows()).toMatchObject([{ outcome: 'failed', status: 500 }])
  expect((await failing.ports.audit.verify()).rows).toBe(1)
})

test('500: a change recorded once reports that it could not be recorded', async () => {
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
  run: (ports: Needs<'leases'>) => Promise<unknown>,
  how: { beginsWithLease?: true; recordedOnce?: true } = { beginsWithLease: true },
) {
  const ports = memoryPorts()
  const remove = endpoint({
    summary: 'Remove a thing',
    access: 'users:manage',
    ...how,
    path: things,
    async run(_input, given: Needs<'leases'>) {
      await run(given)
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
