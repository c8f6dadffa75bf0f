import { expect, test } from 'vitest'
import { localHostId } from '../../host-ids.ts'
import {
  type EventLog,
  type EventMessage,
  factsOf,
  isEcho,
  isOfStack,
  matches,
  type ShownEvent,
  withEvents,
  withMessages,
} from './event-log.ts'

const event = (id: string, time: string, more: Partial<ShownEvent> = {}): ShownEvent => ({
  id,
  time,
  source: 'docker',
  host_id: localHostId,
  host_name: null,
  kind: 'container.die',
  by: null,
  subject: { kind: 'container', id: 'c1', name: 'shop-web-1' },
  details: { stack: 'shop', exit_code: 137, image: '' },
  ...more,
})

test('events of a stack and of its containers are shown, others are not', () => {
  const subject = { kind: 'stack', id: 'shop', name: 'shop' }
  expect(isOfStack(event('a', '1'), 'shop')).toBe(true)
  expect(isOfStack(event('a', '1', { subject, details: {} }), 'shop')).toBe(true)
  expect(isOfStack(event('a', '1'), 'blog')).toBe(false)
  expect(isOfStack(event('a', '1', { subject: null, details: {} }), 'shop')).toBe(false)
})

test('the newest event is first, and one that comes twice is shown once', () => {
  const known = withEvents([], [event('a', '2026-01-01T00:00:01Z')])
  const all = withEvents(known, [
    event('b', '2026-01-01T00:00:02Z'),
    event('a', '2026-01-01T00:00:01Z'),
    event('b', '2026-01-01T00:00:02Z'),
  ])
  expect(all.map(({ id }) => id)).toEqual(['b', 'a'])
})

test('at most 1,000 events are kept', () => {
  const many = Array.from({ length: 1200 }, (_, index) => event(`${index}`, `${1000 + index}`))
  const kept = withEvents([], many)
  expect(kept).toHaveLength(1000)
  expect(kept[0]?.id).toBe('1199')
})

test('facts leave out what is empty or said elsewhere', () => {
  expect(factsOf(event('a', '1'))).toEqual([['exit_code', '137']])
})

test('a filter has to match with all of its words', () => {
  expect(matches(event('a', '1'), 'web DIE')).toBe(true)
  expect(matches(event('a', '1'), '137')).toBe(true)
  expect(matches(event('a', '1'), 'web start')).toBe(false)
  expect(matches(event('a', '1'), '')).toBe(true)
})

test.each([
  ['stack.deploy', 'succeeded', true],
  ['stack.services.pull', 'succeeded', true],
  ['stack.deploy', 'refused', false],
  ['stack.update', 'succeeded', false],
  ['stack.deploy.ended', 'succeeded', false],
])('whether the request %s that %s says nothing new: %s', (kind, outcome, isSaid) => {
  expect(isEcho(event('a', '1', { kind, details: { outcome } }))).toBe(isSaid)
})

const since = '2026-01-01T00:00:00.000Z'
const none: EventLog = { events: [], isComplete: false }
const after = (log: EventLog, ...messages: EventMessage[]) =>
  withMessages(log, messages, 'shop', since)
const gap = (to: string): EventMessage => ({
  gap: { host_id: localHostId, host_name: null, from: since, to },
})

test('a log is complete only once the feed says so, whatever came before', () => {
  const begun = after(none, event('a', since))
  expect(begun).toEqual({ events: [event('a', since)], isComplete: false })
  expect(after(begun, { caught_up: since })).toEqual({ ...begun, isComplete: true })
  expect(after(none, { caught_up: since })).toEqual({ events: [], isComplete: true })
})

test('a log stays complete after the line was cut', () => {
  const complete = after(none, { caught_up: since })
  expect(after(complete, event('a', since))).toMatchObject({ isComplete: true })
})

test('a log says until when events may be missing', () => {
  const [early, late] = ['2026-01-01T03:00:00.000Z', '2026-01-01T05:00:00.000Z']
  expect(after(none, gap(late), gap(early)).missingUntil).toBe(late)
  expect(after(after(none, gap(late)), gap(early)).missingUntil).toBe(late)
})

test('the time that the request itself took is no gap', () => {
  expect(after(none, gap('2026-01-01T00:00:00.400Z'))).not.toHaveProperty('missingUntil')
})

test('a log leaves out events of other stacks', () => {
  expect(after(none, event('a', since, { details: { stack: 'blog' } })).events).toEqual([])
})
