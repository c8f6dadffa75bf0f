import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { knownOf } from './known-problems.ts'
import type { StackProblem } from './validate-stack.ts'

const mistake = { path: 'compose.yaml', line: 1, column: 1 } as StackProblem
const away = { status: 503, error: 'away' }
const state = (problems?: StackProblem[], isChecking = false, failure?: typeof away) =>
  knownOf({ problems: signal(problems), failure: signal(failure), isChecking: signal(isChecking) })

test('files have no problems only once they were checked as they are now', () => {
  expect(state(undefined, true)).toBe('loading')
  expect(state([])).toBe('empty')
  expect(state([], true)).toBe('loading')
  expect(state([mistake], true)).toBe('loading')
  expect(state([mistake])).toBe('shown')
})

test('a check that failed is not one that found nothing', () => {
  expect(state(undefined, false, away)).toBe('failed')
  expect(state([], false, away)).toBe('failed')
  expect(state(undefined, true, away)).toBe('loading')
})
