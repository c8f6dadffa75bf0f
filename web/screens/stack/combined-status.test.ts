import { expect, test } from 'vitest'
import { combinedStatus } from './combined-status.ts'

test.each([
  [['done', 'done'], 'done'],
  [['done', 'pending'], 'running'],
  [['pending', 'pending'], 'pending'],
  [['done', 'failed', 'skipped'], 'failed'],
  [['done', 'skipped'], 'skipped'],
  [['running', 'pending'], 'running'],
] as const)('%j together are %s', (statuses, together) => {
  expect(combinedStatus(statuses.map((status) => ({ status })))).toBe(together)
})
