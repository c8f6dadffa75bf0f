import { expect, test } from 'vitest'
import type { StackSource } from '../records/stack-source.ts'
import { takenSource, withTakenRevision } from './taken-source.ts'

const state = { revision: 'r2', treeId: 't2', author: 'Ada', subject: 'Grow' }
const source = { source: 'estate', synced: { ...state, at: 1 }, takenRevision: 5 } as StackSource

test('the newest files are those that were taken', () => {
  expect(takenSource({ source, contentRevision: 5 }, 'user')).toEqual({
    ...state,
    source: 'estate',
    trigger: 'user',
  })
})

test.each<[name: string, source: StackSource | undefined]>([
  ['the stack follows no source', undefined],
  ['nothing was taken', { ...source, synced: null }],
  ['it was taken from another place', { ...source, synced: { ...state, treeId: '', at: 1 } }],
  ['other files were saved since', { ...source, takenRevision: 4 }],
])('it is not known what they were taken from: %s', (_, bound) => {
  expect(takenSource({ source: bound, contentRevision: 5 }, 'user')).toBeUndefined()
})

test.each([
  ['a sync', 3, true, 6],
  ['an edit of kept files', 5, false, 6],
  ['an edit after a rollback', 3, false, 3],
] as const)('after %s', (_, takenRevision, isOfSource, then) => {
  const before = { source: { ...source, takenRevision }, contentRevision: 5 }
  const next = withTakenRevision(before, before.source, 6, isOfSource)
  expect(next.takenRevision).toBe(then)
})
