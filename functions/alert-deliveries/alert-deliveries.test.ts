import { expect, test } from 'vitest'
import { alertChannel, alertEvent } from '../../adapters/testing/contract/samples.ts'
import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { fromAuditRow } from '../core/events/from-audit-row.ts'
import type { SendResult } from '../core/records/alert-delivery.ts'
import deliver from './deliver.ts'
import get from './get.ts'
import list from './list.ts'
import retry from './retry.ts'

const failed: SendResult = { ok: false, status: 500, error: 'responded with 500', retryAfter: null }

/** Sets up a channel `a` and one pending event for it. */
async function world() {
  const ports = memoryPorts()
  await ports.alertChannels.create(alertChannel('a'))
  await ports.alertDeliveries.add(alertEvent('e1'), ['a'])
  const round = async () => {
    await deliver.with(ports)()
    await ports.background.settled()
  }
  return { ports, round }
}

/** Sets up the same, with the delivery dead. */
async function deadWorld() {
  const { ports, round } = await world()
  ports.alertSender.answer = () => failed
  for (let at = 0; at < 8; at += 1) {
    await round()
    ports.clock.advance(3 * 3_600_000)
  }
  return { ports, round }
}

const path = { id: 'e1.a' }

test('200: lists pending deliveries with the time of the next try', async () => {
  const { ports, round } = await world()
  ports.alertSender.answer = () => failed
  await round()
  const query = { state: 'pending' }
  const [shown] = (await call(list, { ports, as: 'viewer', query })).json
  expect(shown).toMatchObject({
    id: 'e1.a',
    channel_id: 'a',
    channel_name: 'channel a',
    state: 'pending',
    tries: 1,
    error: 'responded with 500',
    event: { rule_name: 'Busy container', value: 93.25, detail: null },
  })
  expect(Date.parse(shown.next_try_at)).toBeGreaterThan(ports.clock.now() + 3000)
  expect((await call(get, { ports, as: 'viewer', path })).json).toEqual(shown)
  expect((await call(list, { ports, as: 'viewer' })).json).toEqual([])
})

test('200: sends an event once and does not list it after delivery', async () => {
  const { ports, round } = await world()
  await round()
  await round()
  expect(ports.alertSender.sent).toMatchObject([{ notice: { id: 'e1.a' } }])
  const answers = ['pending', 'dead'].map((state) =>
    call(list, { ports, as: 'viewer', query: { state } }),
  )
  for (const answer of await Promise.all(answers)) expect(answer.json).toEqual([])
  const got = await call(get, { ports, as: 'viewer', path })
  expect(got.json).toMatchObject({ state: 'delivered', tries: 1, next_try_at: null })
  expect(await ports.alertDeliveries.last()).toMatchObject({ a: { state: 'delivered' } })
})

/** A store with this many dead deliveries, a millisecond apart. */
async function withDead(count: number) {
  const { ports } = await world()
  const event = alertEvent('e1')
  for (let at = 0; at < count; at += 1) {
    const subject = at === 0 ? event.subject : { ...event.subject, hostId: 'far' }
    await ports.alertDeliveries.add({ ...event, id: `d${at}`, subject }, ['a'])
    const claimed = present(await ports.alertDeliveries.claim(`d${at}.a`, 1000))
    await ports.alertDeliveries.recordAttempt(claimed, { state: 'dead', error: 'away' })
    ports.clock.advance(1)
  }
  const ask = (query: Record<string, string>, as: TestCaller = 'viewer') =>
    call(list, { ports, as, query })
  return { ports, ask }
}

/** Returns the `before` in the link of a list that was cut. */
const nextOf = ({ headers }: { headers: Record<string, string> }) =>
  present(
    new URLSearchParams(present(headers.link?.match(/\?([^>]*)>; rel="next"/))[1]).get('before'),
  )

test('200: a list of dead deliveries that was cut links to the next part', async () => {
  const { ports, ask } = await withDead(201)
  const first = await ask({})
  expect([first.json.length, first.headers['x-result-truncated']]).toEqual([200, 'true'])
  expect(first.json[0].id).toBe('d200.a')
  const before = nextOf(first)
  const byId = await ask({ before: 'd1.a' })
  expect(byId.json).toMatchObject([{ id: 'd0.a' }])
  // The place of a delivery that was sent again is still one.
  await ports.alertDeliveries.retry('d1.a')
  const rest = await ask({ before })
  expect(rest.json).toMatchObject([{ id: 'd0.a' }])
  expect(rest.headers).not.toHaveProperty('link')
})

test('400: before names no dead delivery, or pending ones are asked for', async () => {
  const { ports, ask } = await withDead(2)
  expect((await ask({ before: 'd1.a', state: 'pending' })).status).toBe(400)
  await ports.alertDeliveries.retry('d1.a')
  for (const before of ['d1.a', 'none.a']) {
    const { status, json } = await ask({ before })
    expect([status, json.error]).toEqual([400, expect.stringContaining('read the list from its')])
  }
})

test('200: whoever sees some hosts reaches every delivery of these', async () => {
  const { ports, ask } = await withDead(1001)
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  const local = present(await ports.hosts.find('local'))
  await ports.hosts.replace({ ...local, tags: ['lab'] })
  const first = await ask({}, as)
  expect(first.json).toEqual([])
  const rest = await ask({ before: nextOf(first) }, as)
  expect(rest.json).toMatchObject([{ id: 'd0.a' }])
  expect(rest.headers).not.toHaveProperty('link')
  // Whether a delivery of another host is dead is not told.
  const answers = [await ask({ before: 'd1.a' }, as), await ask({ before: 'none.a' }, as)]
  expect(answers.map(({ status }) => status)).toEqual([400, 400])
  expect(answers[0]?.json.error).toBe(answers[1]?.json.error)
})

test('200: gives up a delivery after eight tries, reports it, and retries it on request', async () => {
  const { ports, round } = await deadWorld()
  await round()
  expect(ports.alertSender.sent).toHaveLength(8)
  const [dead] = (await call(list, { ports, as: 'viewer' })).json
  expect(dead).toMatchObject({ state: 'dead', tries: 8, next_try_at: null })
  const { rows } = await ports.audit.list({ action: 'alert-deliveries.dead', limit: 9 })
  expect(rows).toMatchObject([
    { subject: { kind: 'alert-deliveries', id: 'e1.a' }, hosts: ['local'], values: { tries: 8 } },
  ])
  expect(fromAuditRow(present(rows[0]))).toMatchObject({
    kind: 'alert-delivery.dead',
    hosts: ['local'],
    details: { error: 'responded with 500' },
  })
  ports.alertSender.answer = () => ({ ok: true, status: 200 })
  const again = await call(retry, { ports, as: 'admin', path })
  expect(again.json).toMatchObject({ state: 'pending', tries: 0 })
  await round()
  expect(ports.alertSender.sent).toHaveLength(9)
  expect((await call(list, { ports, as: 'viewer' })).json).toEqual([])
})

test('200: shows a caller with scope tags only the deliveries about hosts in scope', async () => {
  const { ports } = await deadWorld()
  await ports.hosts.create(agentHost('far', ['lab']))
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await call(list, { ports, as: limited })).json).toEqual([])
  expect((await call(retry, { ports, as: limited, path })).status).toBe(403)
  expect((await call(get, { ports, as: limited, path })).status).toBe(403)
  expect((await call(list, { ports, as: 'admin' })).json).toHaveLength(1)
  const { event, ...delivery } = present(await ports.alertDeliveries.find(path.id))
  const subject = { ...event.subject, hostId: 'gone' }
  const find = async () => ({ ...delivery, event: { ...event, subject } })
  const alertDeliveries = { ...ports.alertDeliveries, find }
  const ofGone = { ports: { ...ports, alertDeliveries }, path }
  expect((await call(retry, { ...ofGone, as: limited })).status).toBe(403)
  expect((await call(get, { ...ofGone, as: limited })).status).toBe(403)
  expect((await call(get, { ...ofGone, as: 'admin' })).status).toBe(200)
  expect((await call(retry, { ...ofGone, as: 'admin' })).status).toBe(200)
})

test('a channel that does not respond does not delay other channels', async () => {
  const { ports } = await world()
  await ports.alertChannels.create(alertChannel('slow'))
  await ports.alertDeliveries.add(alertEvent('e0'), ['slow'])
  let release = () => {}
  const hanging = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = present(await ports.alertChannels.find('slow'))
  await ports.alertChannels.replace({ ...slow, target: { kind: 'slack', url: 'https://slow/' } })
  ports.alertSender.answer = async ({ kind }) => {
    if (kind === 'slack') await hanging
    return { ok: true, status: 200 }
  }
  await deliver.with(ports)()
  await expect.poll(async () => (await ports.alertDeliveries.find('e1.a'))?.state).toBe('delivered')
  await ports.alertDeliveries.add(alertEvent('e2'), ['a', 'slow'])
  await deliver.with(ports)()
  await expect.poll(async () => (await ports.alertDeliveries.find('e2.a'))?.state).toBe('delivered')
  expect(await ports.alertDeliveries.find('e0.slow')).toMatchObject({ state: 'pending', tries: 1 })
  release()
  await ports.background.settled()
  expect(await ports.alertDeliveries.find('e0.slow')).toMatchObject({ state: 'delivered' })
})

test('waits as long as the receiver asks, for all deliveries to it', async () => {
  const { ports, round } = await world()
  await ports.alertDeliveries.add(alertEvent('e2'), ['a'])
  ports.alertSender.answer = () => ({ ...failed, status: 429, retryAfter: 60_000 })
  await round()
  ports.alertSender.answer = () => ({ ok: true, status: 200 })
  ports.clock.advance(30_000)
  await round()
  expect(ports.alertSender.sent).toHaveLength(1)
  ports.clock.advance(31_000)
  await round()
  expect(ports.alertSender.sent.map(({ notice }) => notice.id)).toEqual(['e1.a', 'e2.a', 'e1.a'])
})

test('no other process sends before the receiver allows it', async () => {
  const { ports, round } = await world()
  const other = memoryPorts(ports)
  const { release } = ports.leases
  ports.leases.release = async (lease) => {
    await release(lease)
    if (lease.name !== 'alert-channel:a') return
    ports.leases.release = release
    await ports.alertDeliveries.add(alertEvent('e2'), ['a'])
    await deliver.with(other)()
  }
  ports.alertSender.answer = () => ({ ...failed, status: 429, retryAfter: 60_000 })
  await round()
  await ports.background.settled()
  expect(ports.alertSender.sent.map(({ notice }) => notice.id)).toEqual(['e1.a'])
})

test('one of two processes sends a delivery, and the other takes over if that process dies', async () => {
  const { ports } = await world()
  const [one, other] = [memoryPorts(ports), memoryPorts(ports)]
  await Promise.all([deliver.with(one)(), deliver.with(other)()])
  await ports.background.settled()
  expect(ports.alertSender.sent).toHaveLength(1)
  await ports.alertDeliveries.add(alertEvent('e2'), ['a'])
  await ports.alertDeliveries.claim('e2.a', 15_000)
  await deliver.with(other)()
  await ports.background.settled()
  expect(ports.alertSender.sent).toHaveLength(1)
  ports.clock.advance(15_000)
  await deliver.with(other)()
  await ports.background.settled()
  expect(ports.alertSender.sent[1]).toMatchObject({ notice: { id: 'e2.a' } })
})

test('drops deliveries to a deleted channel', async () => {
  const { ports, round } = await world()
  await ports.alertChannels.remove('a')
  await round()
  expect(ports.alertSender.sent).toEqual([])
  expect(await ports.alertDeliveries.find('e1.a')).toBeUndefined()
})

test('401 and 403: requires a session; viewers and operators cannot retry', async () => {
  const { ports } = await deadWorld()
  expect((await call(list, { ports })).status).toBe(401)
  for (const as of ['viewer', 'operator'] as const) {
    expect((await call(list, { ports, as })).status).toBe(200)
    expect((await call(retry, { ports, as, path })).status).toBe(403)
  }
})

test('404: unknown delivery', async () => {
  const { ports } = await world()
  const none = await call(retry, { ports, as: 'admin', path: { id: 'none.a' } })
  expect(none.status).toBe(404)
  expect((await call(get, { ports, as: 'admin', path: { id: 'none.a' } })).status).toBe(404)
})

test('409: the delivery is still pending', async () => {
  const { ports } = await world()
  expect((await call(retry, { ports, as: 'admin', path })).status).toBe(409)
})
