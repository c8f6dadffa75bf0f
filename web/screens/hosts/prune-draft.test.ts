import { expect, test } from 'vitest'
import type { PrunePolicy } from '../../data/prune-policy.ts'
import { bodyOf, draftOf, previewOf, pruneSchedules } from './prune-draft.ts'

const policy: PrunePolicy = {
  schedule: '30 2 * * 1-5',
  timezone: 'Asia/Tokyo',
  what: 'unused',
  unused_days: 9,
  acts_as: 'olga',
  blocked: null,
  last: null,
  next_at: null,
}

test('a policy that is saved unchanged stays as it is', () => {
  const { schedule, timezone, what, unused_days } = policy
  expect(bodyOf(draftOf(policy))).toEqual({ schedule, timezone, what, unused_days })
  const nameless = { ...policy, what: 'nameless' as const, unused_days: null }
  expect(bodyOf(draftOf(nameless))).toMatchObject({ what: 'nameless', unused_days: null })
})

test('without a policy, the form begins with a usual one', () => {
  const draft = draftOf({ ...policy, schedule: null, what: 'nameless', unused_days: null })
  expect(draft.schedule).toBe(pruneSchedules[0])
  expect(bodyOf({ ...draft, what: 'unused' }).unused_days).toBe(30)
})

test('asks for a preview only of whole days', () => {
  const draft = draftOf(policy)
  expect(previewOf(draft)).toEqual({ what: 'unused', unused_days: 9 })
  expect(previewOf({ ...draft, what: 'nameless', days: '' })).toEqual({ what: 'nameless' })
  const wrong = ['', '0', '1.5', '-1', '4000'].map((days) => previewOf({ ...draft, days }))
  expect(wrong).toEqual(Array(5).fill(undefined))
})
