import { expect, test } from 'vitest'
import type { UpdatePolicy } from '../../data/update-policy.ts'
import { bodyOf, draftOf, termsDraftOf, termsOf } from './policy-draft.ts'

const policy: UpdatePolicy = {
  mode: 'apply',
  window: { schedule: '30 2 * * 1-5', timezone: 'Asia/Tokyo', duration_minutes: 45 },
  minimum_age_hours: 5,
  except: ['db', 'gone'],
  checkpoint: '019a0000-0000-7000-8000-000000000009',
  watch_minutes: 10,
  after: ['database'],
  source: 'stack',
  tag: null,
  acts_as: 'olga',
  blocked: null,
}

test('a policy that is saved unchanged stays as it is, also services that there are no more', () => {
  const { source: _source, tag: _tag, acts_as: _as, blocked: _blocked, ...body } = policy
  expect(bodyOf(draftOf(policy))).toEqual(body)
})

test('a policy without a window begins with a usual one, and stays without if none is chosen', () => {
  const draft = draftOf({ ...policy, window: null })
  expect(bodyOf(draft).window).toBeNull()
  expect(bodyOf({ ...draft, schedule: ' 0 3 * * * ', timezone: 'UTC ' }).window).toEqual({
    schedule: '0 3 * * *',
    timezone: 'UTC',
    duration_minutes: 120,
  })
})

test('a policy that stacks inherit is saved with the fields that all policies have, and no other', () => {
  const { mode, window, minimum_age_hours, watch_minutes } = policy
  const terms = { mode, window, minimum_age_hours, watch_minutes }
  expect(termsOf(termsDraftOf(policy))).toEqual(terms)
  expect(termsOf({ ...draftOf(policy), watch: ' ' })).toEqual({ ...terms, watch_minutes: null })
})
