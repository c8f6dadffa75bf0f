import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { alertRule, containerSubject } from '../core/alerts/rule-samples.ts'
import list from './list.ts'

async function withEvents(count: number) {
  const ports = memoryPorts()
  const { id: ruleId, name: ruleName, metric, operator, threshold, severity } = alertRule()
  for (let at = 0; at < count; at += 1) {
    ports.clock.advance(1000)
    await ports.alertEvents.add({
      ...{ id: ports.random.id(), ruleId, ruleName, metric, operator, threshold, severity },
      ...{ subject: containerSubject(`c${at}`), state: at % 2 ? 'resolved' : 'firing' },
      ...{ value: at % 2 ? null : 90, at: ports.clock.now() },
    })
  }
  return ports
}

test('200: newest first', async () => {
  const { json } = await call(list, { ports: await withEvents(2), as: 'viewer' })
  expect(json).toMatchObject([
    { subject: { name: 'c1' }, state: 'resolved', value: null, at: '2026-06-01T12:00:02.000Z' },
    { subject: { name: 'c0' }, state: 'firing', value: 90, threshold: 80, rule_name: 'busy' },
  ])
})

test('200: five hundred, and that there are more; a month later none', async () => {
  const ports = await withEvents(501)
  const { json, headers } = await call(list, { ports, as: 'viewer' })
  expect([json.length, headers['x-result-truncated']]).toEqual([500, 'true'])
  ports.clock.advance(31 * 86_400_000)
  expect((await call(list, { ports, as: { username: 'v', role: 'viewer' } })).json).toEqual([])
})

test('200: only what happened on hosts in scope', async () => {
  const ports = await withEvents(2)
  const limited = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  expect((await call(list, { ports, as: limited })).json).toEqual([])
})

test('401: nobody is signed in', async () => {
  expect((await call(list)).status).toBe(401)
})
