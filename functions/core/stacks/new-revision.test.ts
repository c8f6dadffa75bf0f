import { expect, test } from 'vitest'
import type { StackRecord } from '../records/stack.ts'
import { newRevision } from './new-revision.ts'

type Revised = Pick<StackRecord, 'files' | 'contentRevision' | 'earlier'>

const files = (compose: string, others: Record<string, string> = {}) => ({
  compose,
  env: null,
  overlays: {},
  others,
})

/** Saves files with these names, one after the other. */
const saved = (names: string[], others?: Record<string, string>) =>
  names.reduce<Revised>((stack, name) => newRevision(stack, files(name, others)), {
    files: files('first', others),
    contentRevision: 1,
  })

test('keeps the files of the revision before, the newest first', () => {
  expect(saved(['a', 'b'])).toEqual({
    files: files('b'),
    contentRevision: 3,
    earlier: [
      { revision: 2, files: files('a') },
      { revision: 1, files: files('first') },
    ],
  })
})

test('keeps twenty revisions in all', () => {
  const { earlier = [] } = saved(Array.from({ length: 40 }, (_, n) => String(n)))
  expect(earlier).toHaveLength(19)
  expect(earlier.at(-1)?.revision).toBe(22)
})

test('keeps fewer if their lists of files are long', () => {
  const others = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`f${n}`, 'x'.repeat(64)]),
  )
  const { earlier = [] } = saved(['a', 'b', 'c', 'd', 'e', 'f'], others)
  expect(earlier.map(({ revision }) => revision)).toEqual([6, 5, 4, 3])
})
