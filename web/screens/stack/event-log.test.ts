import { expect, test } from 'vitest'
import { localHostId } from '../../data/host-ids.ts'
import { factsOf, isEcho, isOfStack, matches, type ShownEvent, withEvents } from './event-log.ts'

const event = (id: string, time: string, more: Partial<ShownEvent> = {}): ShownEvent => ({
  id,
  time,
  source: 'docker',
  host_id: localHostId,
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
