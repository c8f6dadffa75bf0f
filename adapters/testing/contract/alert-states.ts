import { expect, test } from 'vitest'
import { alertRule, containerSubject } from '../../../functions/core/alerts/rule-samples.ts'
import { historyRetention, sampledId } from '../../../functions/core/metrics/history.ts'
import { type AlertEventQuery, eventRetention } from '../../../functions/core/ports/alert-events.ts'
import type { AlertEvent } from '../../../functions/core/records/alert-event.ts'
import type { RuleState } from '../../../functions/core/records/alert-state.ts'
import type { HostSample } from '../../../functions/core/records/metrics.ts'
import { present } from '../present.ts'
import { idMadeAt } from './samples.ts'
import { count, type NewWorld } from './world.ts'

/** Tests the port `AlertRules`, except what `collectionContract` covers. */
export function alertRulesContract(newWorld: NewWorld) {
  test('rule names are unique, ignoring case', async () => {
    const { stores, peer } = await newWorld()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 ? stores : peer).alertRules.create(
          alertRule({ id: `r${at}`, name: at % 3 ? 'busy' : 'Busy' }),
        ),
      ),
    )
    expect(count(answers, true)).toBe(1)
    await stores.alertRules.create(alertRule({ id: 'other', name: 'quiet' }))
    const other = present(await peer.alertRules.find('other'))
    expect(await peer.alertRules.replace({ ...other, name: 'BUSY' })).toBeUndefined()
    expect(await peer.alertRules.replace({ ...other, name: 'third' })).toBeDefined()
    expect(await stores.alertRules.remove('other')).toBe(true)
  })
}

const stateOf = (hostId: string, ruleId: string, fence = 1): RuleState => ({
  hostId,
  ruleId,
  condition: '[]',
  rule: alertRule(),
  subjects: {},
  outbox: [],
  fence,
})

/** Tests the port `AlertStates`. */
export function alertStatesContract(newWorld: NewWorld) {
  test('writes a state only if unchanged since it was read; lists it by host', async () => {
    const { stores, peer } = await newWorld()
    const fresh = { ...stateOf('h1', 'r1'), revision: 0 }
    const saved = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? stores : peer).alertStates.save(fresh)),
    )
    const [first] = saved.filter((one) => one !== undefined)
    expect(saved.filter(Boolean)).toHaveLength(1)
    await stores.alertStates.save({ ...stateOf('h1', 'r2'), revision: 0 })
    await stores.alertStates.save({ ...stateOf('h1#x', 'r1'), revision: 0 })
    expect((await peer.alertStates.ofHost('h1')).map(({ ruleId }) => ruleId)).toEqual(['r1', 'r2'])
    expect((await peer.alertStates.ofHost('h1'))[0]).toEqual(first)
    const again = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? stores : peer).alertStates.save({ ...present(first), fence: at }),
      ),
    )
    const [second] = again.filter((one) => one !== undefined)
    expect(again.filter(Boolean)).toHaveLength(1)
    expect(await stores.alertStates.remove(present(first))).toBe(false)
    expect(await stores.alertStates.remove(present(second))).toBe(true)
    expect(await stores.alertStates.remove(present(second))).toBe(false)
    expect(await stores.alertStates.save(present(second))).toBeUndefined()
  })

  test('stores a rule state with a thousand containers', async () => {
    const { stores, peer } = await newWorld()
    const subjects: RuleState['subjects'] = {}
    for (let at = 0; at < 1000; at += 1) {
      const subject = containerSubject(`container-of-a-long-name-${at}`)
      const told = { eventId: `event-${at}`, told: true }
      const fired = { phase: 'firing' as const, firedAt: at, clearSince: null, value: at, ...told }
      subjects[subject.name] = { ...fired, subject }
    }
    await stores.alertStates.save({ ...stateOf('h1', 'r1'), subjects, revision: 0 })
    expect((await peer.alertStates.ofHost('h1'))[0]?.subjects).toEqual(subjects)
  })
}

const day = 86_400_000

/** Tests the port `AlertEvents`. */
export function alertEventsContract(newWorld: NewWorld) {
  const eventAt = (at: number, hostId = 'local'): AlertEvent => {
    const { id: ruleId, name: ruleName, metric, operator, threshold, severity } = alertRule()
    return {
      id: idMadeAt(at),
      ruleId,
      ruleName,
      metric,
      operator,
      threshold,
      severity,
      state: 'firing',
      value: 1,
      subject: { ...containerSubject('web'), hostId },
      at,
    }
  }

  test('lists events newest first, by host, and adds each once', async () => {
    const { stores, peer, clock } = await newWorld()
    const now = clock.now()
    for (const at of [1, 3, 2, 3]) await stores.alertEvents.add(eventAt(now + at))
    await peer.alertEvents.add(eventAt(now + 4, 'far'))
    const times = (events: AlertEvent[]) => events.map(({ at }) => at - now)
    const listed = async (query: AlertEventQuery) => {
      const { events, next } = await peer.alertEvents.list(query)
      return { times: times(events), next }
    }
    const whole = (...times: number[]) => ({ times, next: undefined })
    const cut = (...times: number[]) => ({ times, next: idMadeAt(now + (times.at(-1) ?? 0)) })
    expect(await listed({ limit: 10 })).toEqual(whole(4, 3, 2, 1))
    expect(await listed({ limit: 4 })).toEqual(whole(4, 3, 2, 1))
    expect(await listed({ limit: 2 })).toEqual(cut(4, 3))
    expect(await listed({ limit: 10, hostIds: new Set(['local']) })).toEqual(whole(3, 2, 1))
    const range = { since: now + 2, until: now + 4 }
    expect(await listed({ limit: 10, ...range })).toEqual(whole(3, 2))
    expect(await listed({ limit: 1, ...range })).toEqual(cut(3))
    const { id: before } = eventAt(now + 3)
    expect(await listed({ limit: 10, before })).toEqual(whole(2, 1))
    const where = ({ at }: AlertEvent) => at !== now + 3
    expect(await listed({ limit: 2, where })).toEqual(cut(4, 2))
    expect(times(await peer.alertEvents.since(now + 2))).toEqual([2, 3, 4])
    const [newest] = (await peer.alertEvents.list({ limit: 1 })).events
    expect(newest).toEqual(eventAt(now + 4, 'far'))
  })

  test('events expire after a month', async () => {
    const { stores, clock } = await newWorld()
    await stores.alertEvents.add(eventAt(clock.now() - eventRetention + day))
    const listed = async () => (await stores.alertEvents.list({ limit: 10 })).events
    expect(await listed()).toHaveLength(1)
    clock.advance(day)
    expect(await listed()).toEqual([])
  })
}

/** Tests the port `MetricHistory`. */
export function metricHistoryContract(newWorld: NewWorld) {
  const ids = (many: number) =>
    Array.from({ length: many }, (_, at) => (at * 7919).toString(16).padStart(4, '0').repeat(16))
  const sample = (at: number, many: number): HostSample => ({
    host: {
      at,
      up: true,
      running: many,
      total: many,
      cpuPercent: 1.5,
      memory: 2,
      memoryTotal: 4,
      disk: null,
      diskTotal: null,
    },
    containers: ids(many).map((id, index) => ({
      id: sampledId(id),
      point: {
        cpuPercent: index ? 12.25 : null,
        memory: at % 1000,
        memoryPercent: 1,
        pids: index,
        networkRx: 1,
        networkTx: 2,
        blockRead: 3,
        blockWrite: 4,
      },
    })),
  })

  test.each([2, 300])('stores %i containers separately', async (many) => {
    const { stores, peer, clock } = await newWorld()
    const now = clock.now()
    expect(await stores.metricHistory.latest('h')).toBeUndefined()
    for (const at of [now - 15_000, now]) await stores.metricHistory.add('h', sample(at, many))
    await stores.metricHistory.add('h2', sample(now, 1))
    const wanted = sample(now, many)
    const [one, other] = [present(ids(many)[0]), present(ids(many).at(-1))]
    expect(await peer.metricHistory.ofContainer('h', other, 0)).toEqual(
      [now - 15_000, now].map((at) => ({
        at,
        ...present(sample(at, many).containers.at(-1)).point,
      })),
    )
    expect(await peer.metricHistory.ofContainer('h', one, now)).toEqual([
      { at: now, ...present(wanted.containers[0]).point },
    ])
    expect(await peer.metricHistory.ofContainer('h', 'f'.repeat(64), 0)).toEqual([])
    expect(await peer.metricHistory.ofHost('h', now)).toEqual([wanted.host])
    expect(await peer.metricHistory.lastAt('h')).toEqual(wanted.host)
    const latest = present(await peer.metricHistory.latest('h'))
    expect(latest.host).toEqual(wanted.host)
    expect(latest.containers).toHaveLength(many)
    expect(latest.containers).toEqual(expect.arrayContaining(wanted.containers))
  })

  test('samples expire after an hour', async () => {
    const { stores, clock } = await newWorld()
    const now = clock.now()
    await stores.metricHistory.add('h', sample(now, 1))
    clock.advance(historyRetention)
    expect(await stores.metricHistory.ofHost('h', 0)).toHaveLength(1)
    clock.advance(1)
    expect(await stores.metricHistory.ofHost('h', 0)).toEqual([])
    expect(await stores.metricHistory.ofContainer('h', present(ids(1)[0]), 0)).toEqual([])
    expect(await stores.metricHistory.latest('h')).toBeUndefined()
  })
}
