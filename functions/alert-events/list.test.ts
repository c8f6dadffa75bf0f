import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { alertRule, containerSubject } from '../core/alerts/rule-samples.ts'
import { eventsReadMax } from '../core/ports/alert-events.ts'
import list from './list.ts'

async function withEvents(count: number) {
  const ports = memoryPorts()
  const { id: ruleId, name: ruleName, metric, operator, threshold, severity } = alertRule()
  for (let at = 0; at < count; at += 1) {
    ports.clock.advance(1000)
    await ports.alertEvents.add({
      id: ports.random.id(),
      ruleId,
      ruleName,
      metric,
      operator,
      threshold,
      severity,
      subject: containerSubject(`c${at}`),
      state: at % 2 ? 'resolved' : 'firing',
      value: at % 2 ? null : 90,
      ...(at % 2 ? {} : { detail: 'refused' }),
      at: ports.clock.now(),
    })
  }
  return ports
}

test('200: lists the newest event first', async () => {
  const { json } = await call(list, { ports: await withEvents(2), as: 'viewer' })
  expect(json).toMatchObject([
    {
      subject: { name: 'c1' },
      state: 'resolved',
      value: null,
      detail: null,
      at: '2026-06-01T12:00:02.000Z',
    },
    {
      subject: { name: 'c0' },
      state: 'firing',
      value: 90,
      detail: 'refused',
      threshold: 80,
      rule_name: 'busy',
    },
  ])
})

test('200: lists at most 500 events and drops them after a month', async () => {
  const ports = await withEvents(501)
  const { json, headers } = await call(list, { ports, as: 'viewer' })
  expect([json.length, headers['x-result-truncated']]).toEqual([500, 'true'])
  ports.clock.advance(31 * 86_400_000)
  expect((await call(list, { ports, as: { username: 'v', role: 'viewer' } })).json).toEqual([])
})

test('200: a part that looked at too many events is empty, and links to the next one', async () => {
  const ports = await withEvents(1)
  const [oldest] = (await ports.alertEvents.list({ limit: 1 })).events
  const { id: _, ...event } = present(oldest)
  for (let count = 0; count < eventsReadMax; count += 1) {
    ports.clock.advance(1)
    await ports.alertEvents.add({ ...event, id: ports.random.id(), state: 'resolved' })
  }
  const ask = (query: Record<string, string>) => call(list, { ports, as: 'viewer', query })
  const state = 'firing'
  const first = await ask({ state })
  expect([first.json, first.headers['x-result-truncated']]).toEqual([[], 'true'])
  const before = present(/before=([0-9a-f-]+)>/.exec(present(first.headers.link))?.[1])
  const second = await ask({ state, before })
  expect(second.json).toMatchObject([{ state, at: new Date(event.at).toISOString() }])
  expect(second.headers).not.toHaveProperty('link')
})

test('200: lists the events of a time range', async () => {
  const ports = await withEvents(4)
  const names = async (query: Record<string, string>) =>
    (await call(list, { ports, as: 'viewer', query })).json.map(
      ({ subject }: { subject: { name: string } }) => subject.name,
    )
  const range = { since: '2026-06-01T12:00:02Z', until: '2026-06-01T12:00:04Z' }
  expect(await names(range)).toEqual(['c2', 'c1'])
  expect(await names({ until: '2026-06-01T12:00:01Z' })).toEqual([])
})

test('400: names the form of a time that is none', async () => {
  const ports = await withEvents(1)
  const { status, json } = await call(list, { ports, as: 'viewer', query: { until: 'soon' } })
  expect([status, json.error]).toEqual([
    400,
    expect.stringContaining('RFC 3339 or seconds since the epoch'),
  ])
})

test('200: omits events of hosts out of scope', async () => {
  const ports = await withEvents(2)
  const limited = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  expect((await call(list, { ports, as: limited })).json).toEqual([])
})

test('200: a rule, a severity and a state choose before the cap', async () => {
  const ports = await withEvents(1003)
  const ask = async (query: Record<string, string>) => call(list, { ports, as: 'viewer', query })
  const resolved = await ask({ state: 'resolved' })
  expect([resolved.json.length, resolved.headers['x-result-truncated']]).toEqual([500, 'true'])
  const before = resolved.json.at(-1).id
  expect(resolved.headers.link).toBe(`<?state=resolved&before=${before}>; rel="next"`)
  const rest = await ask({ state: 'resolved', before })
  expect(rest.json.map(({ subject }: { subject: { name: string } }) => subject.name)).toEqual([
    'c1',
  ])
  expect(rest.headers).not.toHaveProperty('link')
  const { rule_id, severity } = rest.json[0]
  expect((await ask({ rule_id, severity, before })).json).toHaveLength(3)
  expect((await ask({ rule_id: 'other' })).json).toEqual([])
  expect((await ask({ severity: 'info' })).json).toEqual([])
})
