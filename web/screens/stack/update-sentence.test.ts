import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Update } from '../../data/newer-images.ts'
import type { UpdatePolicy } from '../../data/update-policy.ts'
import { asHostId, asHostName } from '../../host-ids.ts'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { byHandLines, updateSentence } from './update-sentence.ts'

setTexts(en)

beforeEach(() => void vi.stubGlobal('navigator', { language: 'en-GB' }))
afterEach(() => void vi.unstubAllGlobals())

const now = new Date(2026, 10, 29, 22, 30).getTime()
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()

const policy = (more: Partial<UpdatePolicy> = {}): UpdatePolicy => ({
  mode: 'apply',
  window: { schedule: '0 3 * * *', timezone: 'Europe/Berlin', duration_minutes: 120 },
  minimum_age_hours: 72,
  except: [],
  checkpoint: null,
  watch_minutes: 10,
  after: ['database'],
  source: 'stack',
  tag: null,
  acts_as: 'olga',
  blocked: null,
  ...more,
})

const update = (service: string, next: Partial<Update['next']>, image = 'nginx:1.29'): Update => ({
  stack: 'shop',
  service,
  image,
  host_id: asHostId('local'),
  host_name: asHostName('local'),
  state: 'newer',
  reason: null,
  running: [],
  newer: { digest: `sha256:5e1d2f3a4b5c${'0'.repeat(52)}`, seen_at: at(28, 8) },
  next: { kind: 'none', at: null, reason: null, ...next },
  newer_tags: [],
  source_url: null,
  checked_at: null,
  next_check_at: null,
})

const planned = (service: string, time: string, image?: string) =>
  update(service, { kind: 'planned', at: time }, image)
const nginx = 'nginx:1.29 (5e1d2f3a4b5c)'

describe('what happens next', () => {
  test.each([
    ['off', 'No registry is asked for newer images'],
    ['notify', 'Newer images are only shown'],
  ] as const)('with the mode %s it is always the same', (mode, expected) => {
    expect(updateSentence(policy({ mode }), [planned('web', at(30, 3))], now)).toBe(expected)
  })

  test('names the image that is applied first, once for all of its services', () => {
    const all = [
      planned('db', at(30, 4), 'postgres:18'),
      planned('web', at(30, 3)),
      planned('proxy', at(30, 3)),
    ]
    const expected = `Applies ${nginx} tomorrow at 03:00, if still offered then`
    expect(updateSentence(policy(), all, now)).toBe(expected)
  })

  test('counts images that are applied together', () => {
    const all = [planned('web', at(30, 3)), planned('db', at(30, 3), 'postgres:18')]
    const expected = 'Applies 2 newer images tomorrow at 03:00, if still offered then'
    expect(updateSentence(policy(), all, now)).toBe(expected)
  })

  test('is the watch after an update before what is due, and that before what is planned', () => {
    const all = [planned('db', at(30, 3)), update('web', { kind: 'due' })]
    expect(updateSentence(policy(), all, now)).toBe(`Applies ${nginx} within minutes`)
    const watched = [...all, update('proxy', { kind: 'watched' })]
    expect(updateSentence(policy(), watched, now)).toMatch(/^Watches proxy after an update/)
  })

  test.each([
    [{}, 'in the window “Every day at 3:00” (Europe/Berlin), once they have been known for 3 days'],
    [{ window: null, minimum_age_hours: 1 }, 'at any time, once they have been known for 1 hour'],
    [{ window: null, minimum_age_hours: 0 }, 'at any time'],
  ])('is what the policy %j does while nothing is newer', (more, expected) => {
    expect(updateSentence(policy(more), [], now)).toBe(`Applies newer images ${expected}`)
  })
})

test('says which services only a person updates, once for each reason', () => {
  const all = [
    update('web', { kind: 'by_hand', reason: 'held back' }),
    update('db', { kind: 'by_hand', reason: 'the update policy excepts this service' }),
    update('proxy', { kind: 'by_hand', reason: 'held back' }),
    planned('cache', at(30, 3)),
  ]
  expect(byHandLines(all)).toEqual([
    'web, proxy only by hand: held back',
    'db only by hand: the update policy excepts this service',
  ])
})
