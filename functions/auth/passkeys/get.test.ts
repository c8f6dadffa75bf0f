import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { call } from '../../../local/harness/call.ts'
import { watchChanges } from '../../../local/harness/watch-changes.ts'
import get from './get.ts'

test('200: another challenge each time, for the configured address', async () => {
  const ports = memoryPorts()
  const answers = [await call(get, { ports }), await call(get, { ports })]
  for (const { status, json } of answers) {
    expect([status, json]).toEqual([
      200,
      {
        origin: 'https://stacks.example.org',
        rp_id: 'stacks.example.org',
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{72}$/),
        obstacle: null,
      },
    ])
  }
  expect(answers[0]?.json.challenge).not.toBe(answers[1]?.json.challenge)
})

test('200: leaves no record', async () => {
  const { ports, changes } = watchChanges(memoryPorts())
  await call(get, { ports })
  expect(changes).toEqual([])
})

test.each([
  [null, 'no-address'],
  ['https://192.0.2.1:8443', 'ip-address'],
  ['http://nas:8080', 'no-tls'],
])('200: says why there are no passkeys at %s', async (baseUrl, obstacle) => {
  const ports = memoryPorts()
  ports.site.baseUrl = baseUrl
  // The Host header can say anything.
  const { json } = await call(get, { ports, headers: { host: 'localhost:8080' } })
  expect(json).toEqual({ origin: null, rp_id: null, challenge: null, obstacle })
})
