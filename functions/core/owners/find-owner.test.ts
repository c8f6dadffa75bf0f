import { expect, test } from 'vitest'
import type { Owner } from '../records/owner.ts'
import type { StackRecord } from '../records/stack.ts'
import { isOwnerOf } from './find-owner.ts'

const stack = { id: 'shop', createdAt: 2000 } as StackRecord
const owner = { stack: 'shop', stackCreatedAt: 2000 } as Owner

test('a record is of the stack that was there when it was written', () => {
  expect(isOwnerOf(stack, owner)).toBe(true)
  expect(isOwnerOf({ ...stack, id: 'other' }, owner)).toBe(false)
  // An earlier stack of the name was removed without a word about its volumes.
  expect(isOwnerOf(stack, { ...owner, stackCreatedAt: 1000 })).toBe(false)
  expect(isOwnerOf(stack, { ...owner, leftBy: { id: 'a', name: 'ada' } })).toBe(false)
})
