import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { evaluate } from '../core/alerts/evaluate.ts'
import { alertRule, containerSubject } from '../core/alerts/rule-samples.ts'
import list from './list.ts'

/** Sets up a rule that waits a minute and has matched one container for longer than the other. */
async function alerting() {
  const ports = memoryPorts()
  const rule = alertRule({ forSeconds: 60, mutedUntil: ports.clock.now() + 1 })
  await ports.alertRules.create(rule)
  const at = (now: number) => ({
    hostId: 'local',
    fence: 1,
    now,
    gap: false,
    newId: () => ports.random.id(),
  })
  const [old, young] = ['old', 'young'].map((name) => ({
    subject: containerSubject(name),
    value: 90,
  }))
  const now = ports.clock.now()
  const first = evaluate(rule, undefined, [present(old)], at(now - 60_000))
  const second = present(evaluate(rule, first, [present(old), present(young)], at(now)))
  await ports.alertStates.save({ ...second, revision: 0 })
  return ports
}

test('200: filters by state: firing, pending or all', async () => {
  const ports = await alerting()
  const { json } = await call(list, { ports, as: 'viewer' })
  expect(json).toEqual([
    {
      rule_id: 'r1',
      rule_name: 'busy',
      metric: 'cpu_percent',
      severity: 'warning',
      subject: {
        kind: 'container',
        id: 'id-of-old',
        name: 'old',
        host_id: localHost.id,
        host_name: localHost.name,
      },
      state: 'firing',
      value: 90,
      threshold: 80,
      since: '2026-06-01T12:00:00.000Z',
      muted: true,
    },
  ])
  const names = async (state: string) =>
    (await call(list, { ports, as: 'viewer', query: { state } })).json.map(
      ({ subject }: Json) => subject.name,
    )
  expect(await names('pending')).toEqual(['young'])
  expect((await names('all')).sort()).toEqual(['old', 'young'])
})

test('200: lists no alerts of a disabled rule', async () => {
  const ports = await alerting()
  const rule = present(await ports.alertRules.find('r1'))
  await ports.alertRules.replace({ ...rule, enabled: false })
  expect((await call(list, { ports, as: 'viewer' })).json).toEqual([])
})

test('200: lists at most 200 alerts and reports the truncation', async () => {
  const ports = memoryPorts()
  const rule = alertRule()
  await ports.alertRules.create(rule)
  const seen = Array.from({ length: 201 }, (_, at) => ({
    subject: containerSubject(`c${at}`),
    value: 90,
  }))
  const at = { hostId: 'local', fence: 1, now: 1, gap: false, newId: () => ports.random.id() }
  await ports.alertStates.save({ ...present(evaluate(rule, undefined, seen, at)), revision: 0 })
  const { json, headers } = await call(list, { ports, as: 'viewer' })
  expect([json.length, headers['x-result-truncated']]).toEqual([200, 'true'])
})

test('400: unknown state', async () => {
  expect((await call(list, { as: 'viewer', query: { state: 'resolved' } })).status).toBe(400)
})

test('200: shows the current name of a renamed host', async () => {
  const ports = await alerting()
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, name: 'warehouse' })
  const { json } = await call(list, { ports, as: 'viewer' })
  expect(json[0].subject).toMatchObject({ host_id: 'local', host_name: 'warehouse', name: 'old' })
})
