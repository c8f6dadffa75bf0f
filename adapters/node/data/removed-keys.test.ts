import { expect, test } from 'vitest'
import { internalError } from '../../../functions/core/errors.ts'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import { removedIds } from './removed-keys.ts'

/** A store with a mark of a deleted key, which cannot be read. */
const unreadable = (error: Error) =>
  ({
    list: async () => ['removed-keys/audit-key-0123456789abcdef'],
    find: () => Promise.reject(error),
  }) as unknown as KeyStore

test('a mark that the outside key does not open does not count', async () => {
  const store = unreadable(internalError('it cannot be opened'))
  expect(await removedIds(store, 'audit-key')).toEqual([])
})

test('a mark that the store does not return at the moment is an error, not absent', async () => {
  const store = unreadable(internalError('The store does not respond'))
  await expect(removedIds(store, 'audit-key')).rejects.toThrow('The store does not respond')
})
