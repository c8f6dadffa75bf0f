import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import fc from '../../../local/harness/properties.ts'
import type { AlertEvent } from '../records/alert-event.ts'
import type { AlertRule } from '../records/alert-rule.ts'
import type { RuleState } from '../records/alert-state.ts'
import { evaluate } from './evaluate.ts'
import { alertRule, containerSubject } from './rule-samples.ts'

const web = containerSubject('web')

/** A rule over time. Each value is a sample, by default 15 s after the previous one. */
function watching(first: AlertRule) {
  let now = 1_000_000
  let ids = 0
  let state: RuleState | undefined
  const events: AlertEvent[] = []
  const told: string[] = []
  return {
    rule: first as AlertRule | undefined,
    events,
    /** States of the events that were sent to channels. */
    told,
    get state() {
      return state
    },
    get now() {
      return now
    },
    look(value: number | null | undefined | 'away', { seconds = 15, gap = false } = {}) {
      now += seconds * 1000
      const seen = value === undefined ? [] : [{ subject: web, value: value as number | null }]
      state = evaluate(this.rule, state, value === 'away' ? undefined : seen, {
        hostId: 'local',
        fence: 1,
        now,
        gap,
        newId: () => `e${++ids}`,
      })
      for (const { event, channels } of state?.outbox ?? []) {
        if (!events.some(({ id }) => id === event.id)) events.push(event)
        if (channels.length > 0) told.push(event.state)
      }
      if (state) state = { ...state, outbox: [] }
      return this
    },
    get states() {
      return events.map((event) => event.state)
    },
  }
}

test('fires once when the condition starts and resolves once when it ends', () => {
  const run = watching(alertRule())
  run.look(10).look(90).look(95).look(90)
  expect(run.states).toEqual(['firing'])
  expect(run.events[0]).toMatchObject({
    ruleId: 'r1',
    ruleName: 'busy',
    metric: 'cpu_percent',
    operator: 'gt',
    threshold: 80,
    subject: web,
    value: 90,
    severity: 'warning',
    at: 1_030_000,
  })
  run.look(10).look(10)
  expect(run.states).toEqual(['firing', 'resolved'])
  expect(run.state).toBeUndefined()
})

test('an alert that begins has what is known of its cause', () => {
  const evaluation = { hostId: 'local', fence: 1, now: 1_000_000, gap: false, newId: () => 'e1' }
  const seen = [{ subject: web, value: 90, detail: 'curl: (7) Failed to connect' }]
  const state = present(evaluate(alertRule({ forSeconds: 0 }), undefined, seen, evaluation))
  const [first] = state.outbox
  expect(first?.event).toMatchObject({ state: 'firing', detail: 'curl: (7) Failed to connect' })
  expect(first?.channels).toEqual(alertRule().channels)
})

test('fires only after the condition held without a break for the required time', () => {
  const run = watching(alertRule({ forSeconds: 30 }))
  run.look(90).look(90).look(50).look(90).look(90)
  expect(run.states).toEqual([])
  run.look(90)
  expect(run.states).toEqual(['firing'])
})

test('does not flap when a value oscillates around the threshold', () => {
  const run = watching(alertRule())
  run.look(81)
  for (let at = 0; at < 50; at += 1) run.look(at % 2 ? 81 : 79)
  expect(run.states).toEqual(['firing'])
  run.look(76)
  expect(run.states).toEqual(['firing', 'resolved'])
})

test('resolves after the condition was false for the required time', () => {
  const run = watching(alertRule({ forSeconds: 30 }))
  run.look(90).look(90).look(90).look(10).look(10).look(90).look(10).look(10)
  expect(run.states).toEqual(['firing'])
  run.look(10)
  expect(run.states).toEqual(['firing', 'resolved'])
})

test('does not fire during the cooldown, and fires after it if the condition holds', () => {
  const run = watching(alertRule({ cooldownSeconds: 120 }))
  run.look(90).look(10).look(90).look(90).look(10).look(90)
  expect(run.states).toEqual(['firing', 'resolved'])
  run.look(90).look(90).look(90)
  expect(run.states).toEqual(['firing', 'resolved', 'firing'])
  expect(run.now - present(run.events[0]).at).toBe(120_000)
})

test('an unknown value changes nothing', () => {
  const run = watching(alertRule({ forSeconds: 15 }))
  run.look(90).look(null).look('away')
  expect(run.states).toEqual([])
  run.look(90).look(null).look('away').look(null)
  expect(run.states).toEqual(['firing'])
})

test('a gap between samples does not count as time the condition held', () => {
  const run = watching(alertRule({ forSeconds: 60 }))
  run.look(90).look(90, { seconds: 3600, gap: true })
  expect(run.states).toEqual([])
  run.look(90, { seconds: 60 })
  expect(run.states).toEqual(['firing'])
})

test('resolves the alert of a subject that no longer exists', () => {
  const run = watching(alertRule()).look(90).look(undefined)
  expect(run.events.at(-1)).toMatchObject({ state: 'resolved', value: null })
})

test.each([
  ['deleted', undefined, 90],
  ['disabled', alertRule({ enabled: false }), 90],
  ['given another threshold', alertRule({ threshold: 99 }), 90],
  ['changed to match other containers', alertRule({ match: { containers: ['db'] } }), undefined],
])('resolves the alerts of a rule that was %s', (_how, next, value) => {
  const run = watching(alertRule()).look(90)
  run.rule = next
  run.look(value)
  expect(run.states).toEqual(['firing', 'resolved'])
  expect(run.told).toEqual(['firing', 'resolved'])
})

test('a renamed rule keeps its alerts', () => {
  const run = watching(alertRule()).look(90)
  run.rule = alertRule({ name: 'other', severity: 'critical', channels: ['c2'] })
  expect(run.look(90).states).toEqual(['firing'])
})

test('sends nothing while muted, and sends alerts that still fire when the mute ends', () => {
  const run = watching(alertRule({ mutedUntil: 1_040_000 }))
    .look(90)
    .look(90)
  expect([run.states, run.told]).toEqual([['firing'], []])
  run.look(90)
  expect([run.states, run.told]).toEqual([['firing'], ['firing']])
  run.look(90).look(10)
  expect([run.states, run.told]).toEqual([
    ['firing', 'resolved'],
    ['firing', 'resolved'],
  ])
})

test('does not announce the end of an alert that was never announced', () => {
  const run = watching(alertRule({ mutedUntil: 9_000_000 }))
    .look(90)
    .look(10)
  expect([run.states, run.told]).toEqual([['firing', 'resolved'], []])
})

test('keeps no state for a rule that holds for nothing', () => {
  expect(watching(alertRule()).look(10).look(null).look('away').state).toBeUndefined()
})

test('resends undelivered events under the same ID', () => {
  const about = { hostId: 'local', fence: 1, gap: false, newId: () => 'e1' }
  const seen = [{ subject: web, value: 90 }]
  const first = present(evaluate(alertRule(), undefined, seen, { ...about, now: 1 }))
  const again = present(evaluate(alertRule(), first, seen, { ...about, now: 2, newId: () => 'e2' }))
  expect(again.outbox).toEqual(first.outbox)
  expect(again.outbox.map(({ event, channels }) => [event.id, channels])).toEqual([['e1', ['c1']]])
})

const value = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.constantFrom(null, undefined, 'away' as const),
)
const anyRule = fc.record({
  operator: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
  threshold: fc.integer({ min: 0, max: 100 }),
  forSeconds: fc.constantFrom(0, 15, 60),
  cooldownSeconds: fc.constantFrom(0, 60, 300),
})

test('always alternates between firing and resolved and respects the cooldown', () => {
  fc.assert(
    fc.property(anyRule, fc.array(value, { maxLength: 60 }), (some, values) => {
      const run = watching(alertRule(some))
      for (const one of values) run.look(one)
      const byTurns = run.states.map((_, at) => (at % 2 ? 'resolved' : 'firing'))
      expect(run.states).toEqual(byTurns)
      expect(run.told).toEqual(run.states)
      const fired = run.events.filter(({ state }) => state === 'firing')
      fired.slice(1).forEach(({ at }, index) => {
        expect(at - present(fired[index]).at).toBeGreaterThanOrEqual(some.cooldownSeconds * 1000)
      })
      const firing = Object.values(run.state?.subjects ?? {}).filter(
        (one) => one.phase === 'firing',
      )
      expect(firing.length).toBe(run.states.length % 2)
    }),
    { numRuns: 500 },
  )
})

test('values within a twentieth of the threshold fire at most once', () => {
  const near = fc.array(fc.double({ min: 77, max: 83, noNaN: true }), { maxLength: 100 })
  fc.assert(
    fc.property(near, (values) => {
      const run = watching(alertRule())
      for (const one of values) run.look(one)
      expect(run.events.length).toBeLessThanOrEqual(1)
    }),
  )
})

test('a clock that was set back does not suppress alerts', () => {
  const year = 365 * 86_400
  const waiting = watching(alertRule({ forSeconds: 30 }))
  waiting.look(90).look(90, { seconds: -year }).look(90).look(90)
  expect(waiting.states).toEqual(['firing'])
  const cooling = watching(alertRule({ forSeconds: 0, cooldownSeconds: 3600 }))
  cooling.look(90).look(10).look(10).look(90, { seconds: -year }).look(90)
  expect(cooling.states).toEqual(['firing', 'resolved', 'firing'])
})
