import { expect, test } from 'vitest'
import type { Hook } from '../records/hook.ts'
import { freed, taken } from './hook-record.ts'

const hook: Hook = {
  id: 'shop',
  address: 'address',
  secret: 'secret',
  actsAs: { accountId: 'a1', username: 'olga', since: 1, stacks: [], blocked: null },
  createdAt: 1,
  askedAt: null,
  acceptedAt: null,
  lastRefused: null,
}

test.each([
  ['none waits', {}, undefined],
  ['one came', { askedAt: 5 }, { askedAt: null, takenAt: 9 }],
  ['one was taken before', { takenAt: 3 }, { askedAt: null, takenAt: 3 }],
  ['one came after that', { askedAt: 5, takenAt: 3 }, { askedAt: null, takenAt: 9 }],
])('requests are taken: %s', (_, state, change) => {
  expect(taken({ ...hook, ...state }, 9)).toEqual(change)
})

test('work frees the requests that it followed, and no later ones', () => {
  const now = { ...hook, takenAt: 9 }
  expect(freed(now, { takenAt: 9 })).toEqual({ takenAt: null })
  expect(freed(now, { takenAt: 3 })).toEqual({})
  expect(freed(now, hook)).toEqual({})
})
