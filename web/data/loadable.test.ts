import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { knowledgeOf } from './loadable.ts'
import type { Problem } from './problem.ts'

const state = (value: readonly string[] | undefined, problem?: Problem) =>
  knowledgeOf({ value: signal(value), problem: signal(problem) })
const no: Problem = { status: 503, error: 'away' }

test('nothing is empty before it is known', () => {
  expect(state(undefined)).toBe('loading')
  expect(state(undefined, no)).toBe('failed')
  expect(state([])).toBe('empty')
  expect(state(['a'])).toBe('shown')
})

test('what is known stays known after a failure to load it again', () => {
  expect(state([], no)).toBe('empty')
  expect(state(['a'], no)).toBe('shown')
})

test('a value without entries of its own is shown, unless the page calls it empty', () => {
  const one = { value: signal({ items: [] }), problem: signal(undefined) }
  expect(knowledgeOf(one)).toBe('shown')
  expect(knowledgeOf(one, ({ items }) => items.length === 0)).toBe('empty')
})
