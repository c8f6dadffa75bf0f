import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import type { AnyEndpoint } from '../../functions/kit/endpoint.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { takesIdempotencyKey } from '../../functions/kit/run-once.ts'
import { routes } from '../../serverless.ts'
import { call } from '../harness/call.ts'
import { callerOf } from './matrix-world.ts'
import { rows } from './rows.ts'
import { type Stage, stageOf } from './stage.ts'

const signsIn = 'it has no account before it, or its response must not be sent twice'
const reads = 'it changes nothing'

/** Every POST that takes no `Idempotency-Key`, with the reason. */
const withoutKeys: Readonly<Record<string, string>> = {
  'POST /setup': signsIn,
  'POST /auth/login': signsIn,
  'POST /auth/refresh': signsIn,
  'POST /auth/logout': signsIn,
  'POST /auth/browser/login': signsIn,
  'POST /auth/browser/refresh': signsIn,
  'POST /auth/browser/logout': signsIn,
  'POST /auth/browser/passkey': signsIn,
  'POST /auth/browser/exchange': signsIn,
  'POST /auth/oidc/exchange': signsIn,
  'POST /me/mfa': signsIn,
  'POST /me/mfa/verify': signsIn,
  'POST /me/mfa/disable': signsIn,
  'POST /me/passkeys': signsIn,
  'POST /me/passkeys/options': signsIn,
  'POST /ws/ticket': signsIn,
  'POST /agents/enroll': signsIn,
  'POST /hooks/{id}': 'requests until its deployment begins are one',
  'POST /containers/compose': reads,
  'POST /estate/plan': reads,
  'POST /estate/apply': 'it does what is left, and nothing twice',
  'POST /stacks/validate': reads,
  'POST /stacks/{name}/plan': reads,
  'POST /backup-runs/{id}/verify': reads,
  'POST /service/upgrade/check': reads,
}

const endpoints = new Map<string, AnyEndpoint>()
for (const { method, path, load } of routesOf(routes)) {
  if (method === 'POST') endpoints.set(`POST ${path}`, (await load()).default)
}
const keyed = [...endpoints].filter(([, { facts }]) => takesIdempotencyKey(facts, 'POST'))

test('every POST takes an Idempotency-Key, or has a reason why not', () => {
  const others = [...endpoints.keys()].filter((key) => !keyed.some(([name]) => name === key))
  expect(others.sort()).toEqual(Object.keys(withoutKeys).sort())
})

/** Returns what sends the request of a world as an admin, with the same key each time. */
async function senderOf(key: string, endpoint: AnyEndpoint, { world, request, ports }: Stage) {
  const as = { token: await callerOf(world, { role: 'admin' }, 'session') }
  const headers = { 'Idempotency-Key': 'once', ...request.headers }
  return () => call(endpoint, { ...request, as, route: key, ports: ports as never, headers })
}

test.each(keyed)('%s: the second request changes nothing', async (key, endpoint) => {
  const stage = await stageOf(present([present(rows[key])].flat()[0]))
  const send = await senderOf(key, endpoint, stage)
  const first = await send()
  await stage.world.ports.background.settled()
  stage.changes.length = 0
  const second = await send()
  expect(stage.changes).toEqual([])
  const hasSecret = /"(?:token|secret)":"/.test(first.text)
  expect(endpoint.facts.returnsSecret === true).toBe(hasSecret)
  if (hasSecret) {
    expect([second.status, second.json.error]).toEqual([409, expect.stringContaining('secret')])
  } else {
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers['idempotency-replayed']).toBe('true')
  }
})
