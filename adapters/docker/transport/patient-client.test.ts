import { expect, test } from 'vitest'
import {
  json,
  type LoopbackAnswer,
  loopbackEngine,
} from '../../../local/harness/loopback-engine.ts'
import { engineClient } from './client.ts'
import { patientClient } from './patient-client.ts'

const patience = { most: 10_000, ping: 5000, read: 5000 }
const start = { method: 'POST', path: '/containers/a/start', deadline: 50 } as const
const pathsOf = (calls: string[]) => calls.map((call) => call.replace(/\/v\d\.\d+/, ''))

async function patientOf(answer: LoopbackAnswer, more = {}) {
  const engine = await loopbackEngine((call, response, request) =>
    call.path === '/_ping' && !Object.hasOwn(more, 'silent')
      ? json(response, 200, 'OK')
      : answer(call, response, request),
  )
  const client = engineClient(engine.transport, 'nas')
  return { ...patientClient(client, { ...patience, ...more }), calls: engine.calls }
}

test('a change that takes longer than its deadline is sent once and waited for', async () => {
  const { client, warnings, calls } = await patientOf((_call, response) => {
    setTimeout(() => json(response, 200, { Id: 'a' }), 400)
    return true
  })
  expect(warnings()).toEqual([])
  expect(await client.json(start)).toEqual({ Id: 'a' })
  const [first, ...others] = pathsOf(calls)
  expect(first).toBe('POST /containers/a/start')
  expect(others.length).toBeGreaterThan(0)
  expect(new Set(others)).toEqual(new Set(['GET /_ping']))
  expect(warnings()).toEqual([expect.stringMatching(/^host nas is slow: its Engine took \d+ s$/)])
  expect(client.host).toBe('nas')
})

test('a quick change has no warning and asks for nothing else', async () => {
  const { client, warnings, calls } = await patientOf((_call, response) => json(response, 200, {}))
  await client.json({ ...start, deadline: 5000 })
  expect([calls.length, warnings()]).toEqual([1, []])
})

test('500: a change ends if the Engine responds to nothing', async () => {
  const { client } = await patientOf(() => true, { silent: true, ping: 50 })
  await expect(client.json(start)).rejects.toMatchObject({
    status: 500,
    reason: 'engine-busy',
    message: expect.stringMatching(
      /did not respond within [\d.]+ s \(POST \/containers\/a\/start\): the host is slow or overl/,
    ),
  })
})

test('500: a change ends in the end, though the Engine responds to others', async () => {
  const { client } = await patientOf(() => true, { most: 300 })
  await expect(client.json(start)).rejects.toMatchObject({ status: 500, reason: 'engine-busy' })
})

test('a refusal of a slow Engine is its own, and a cancelled step ends at once', async () => {
  const { client, warnings } = await patientOf((_call, response) => {
    setTimeout(() => json(response, 409, { message: 'in use' }), 200)
    return true
  })
  await expect(client.json(start)).rejects.toMatchObject({ status: 409 })
  expect(warnings()).toHaveLength(1)
  const stop = new AbortController()
  const waiting = client.json({ ...start, signal: stop.signal })
  setTimeout(() => stop.abort(new Error('cancelled')), 100)
  await expect(waiting).rejects.toThrow('cancelled')
})

test('reads keep a deadline', async () => {
  const { client, calls } = await patientOf(() => true, { read: 60 })
  const read = { method: 'GET', path: '/containers/a/json' } as const
  await expect(client.json(read)).rejects.toMatchObject({ reason: 'engine-busy' })
  await expect(client.json({ ...read, deadline: 30 })).rejects.toMatchObject({
    message: expect.stringMatching(/within 0\.03 s/),
  })
  expect(pathsOf(calls)).toEqual(['GET /containers/a/json', 'GET /containers/a/json'])
})
