import { describe, expect, test } from 'vitest'
import { asHostId, asHostName } from '../host-ids.ts'
import {
  countNewer,
  countStates,
  deployNewerHref,
  isLookDue,
  lookTimes,
  proposalsOf,
  releaseNotesOf,
  summarizeNewer,
  type Update,
} from './newer-images.ts'

const seen = (day: number) => ({
  digest: `sha256:${day}`,
  seen_at: `2026-11-0${day}T08:00:00.000Z`,
})

const update = (more: Partial<Update>): Update => ({
  stack: 'shop',
  service: 'web',
  image: 'nginx:1.29',
  host_id: asHostId('local'),
  host_name: asHostName('local'),
  state: more.newer ? 'newer' : 'current',
  reason: null,
  running: [],
  newer: null,
  newer_tags: [],
  source_url: null,
  checked_at: null,
  next_check_at: null,
  next: { kind: 'none', at: null, reason: null },
  ...more,
})

test('counts the services of each stack that have a newer image', () => {
  const counts = countNewer([
    update({ newer: seen(1) }),
    update({ service: 'db', newer: seen(2) }),
    update({ stack: 'blog' }),
    update({ stack: 'wiki', newer: seen(1) }),
  ])
  expect([...counts]).toEqual([
    ['shop', 2],
    ['wiki', 1],
  ])
})

test('counts the services in each state', () => {
  const states = [update({}), update({ state: 'unknown' }), update({ newer: seen(1) }), update({})]
  expect(countStates(states)).toEqual({ newer: 1, current: 2, unknown: 1, not_checked: 0 })
})

describe('when registries were and are asked', () => {
  test('is the last look of any tag, and the next one of any', () => {
    const looks = [
      update({ checked_at: '2026-11-01T14:05:00Z', next_check_at: '2026-11-01T21:00:00Z' }),
      update({ checked_at: null, next_check_at: '2026-11-01T20:00:00Z' }),
      update({ checked_at: '2026-11-01T13:00:00.500Z', next_check_at: null }),
    ]
    expect(lookTimes(looks)).toEqual({
      last: Date.parse('2026-11-01T14:05:00Z'),
      next: Date.parse('2026-11-01T20:00:00Z'),
    })
  })

  test('is now from when a look is due until its registry has answered', () => {
    const now = Date.parse('2026-11-01T14:00:00Z')
    const due = update({ next_check_at: '2026-11-01T13:59:58Z' })
    const planned = update({ next_check_at: '2026-11-01T20:00:00Z' })
    expect(isLookDue([planned, due], now)).toBe(true)
    expect(isLookDue([planned, update({})], now)).toBe(false)
    expect(isLookDue([], now)).toBe(false)
  })

  test('is not known without a look', () => {
    expect(lookTimes([update({})])).toEqual({ last: null, next: null })
  })
})

test.each([
  ['https://github.com/nginx/docker-nginx', 'https://github.com/nginx/docker-nginx'],
  ['http://example.org/notes', null],
  ['javascript:alert(1)//https://', null],
  [null, null],
])('the release notes of %s are at %s', (source_url, expected) => {
  expect(releaseNotesOf({ source_url })).toBe(expected)
})

describe('what a stack says of its newer images', () => {
  test('names an image that several services use, since it was first seen', () => {
    const shop = [
      update({ newer: seen(3) }),
      update({ service: 'proxy', newer: seen(2), source_url: 'https://example.org/notes' }),
      update({ service: 'db', image: 'postgres:18' }),
    ]
    expect(summarizeNewer(shop)).toEqual({
      image: 'nginx:1.29',
      services: 2,
      since: seen(2).seen_at,
      releaseNotes: 'https://example.org/notes',
    })
  })

  test('counts the services of several images, whose release notes differ', () => {
    const shop = [
      update({ newer: seen(1), source_url: 'https://example.org/notes' }),
      update({ service: 'db', image: 'postgres:18', newer: seen(2) }),
    ]
    expect(summarizeNewer(shop)).toEqual({
      image: undefined,
      services: 2,
      since: seen(1).seen_at,
      releaseNotes: null,
    })
  })

  test('is nothing while nothing is newer', () => {
    expect(summarizeNewer([update({}), update({ state: 'unknown' })])).toBeUndefined()
  })
})

test('proposes the versions of an image once', () => {
  const tags = [{ tag: '1.31', change: 'minor' as const, lines: [] }]
  const shop = [
    update({ newer_tags: tags }),
    update({ service: 'proxy', newer_tags: tags }),
    update({ service: 'db', image: 'postgres:18' }),
    update({
      service: 'cache',
      image: 'redis:8',
      newer_tags: [{ tag: '9', change: 'major', lines: [] }],
    }),
  ]
  expect(proposalsOf(shop).map(({ image }) => image)).toEqual(['nginx:1.29', 'redis:8'])
})

test('leads to a plan that pulls', () => {
  expect(deployNewerHref('shop')).toBe('/stacks/shop/deploy?pull=always')
})
