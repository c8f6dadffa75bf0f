import { expect, test } from 'vitest'
import { allows } from './permissions.ts'

const rights = (...scope_tags: string[]) => ({ permissions: ['stacks:read'], scope_tags })

test('needs the permission, and nothing is allowed before the account is known', () => {
  expect(allows(rights(), 'stacks:read')).toBe(true)
  expect(allows(rights(), 'stacks:deploy')).toBe(false)
  expect(allows(undefined, 'stacks:read')).toBe(false)
})

test('an account with a scope reaches only hosts that carry one of its tags', () => {
  expect(allows(rights('lab'), 'stacks:read', { tags: ['office'] })).toBe(false)
  expect(allows(rights('lab', 'home'), 'stacks:read', { tags: ['home'] })).toBe(true)
  expect(allows(rights(), 'stacks:read', { tags: [] })).toBe(true)
})
