import { expect, test } from 'vitest'
import { z } from 'zod'
import type { HttpEvent } from '../../functions/kit/event.ts'
import { WaitQuery, WaitSecondsQuery } from '../../functions/kit/wait.ts'
import { withoutWait, withShortWait } from './without-wait.ts'

const event = (rawQueryString: string) => ({ rawQueryString }) as HttpEvent

test('a response that is no deployment is waited for, as its clients know no other', () => {
  const stop = { query: WaitQuery, accepts: z.object({}) }
  expect(withoutWait(event(''), stop).rawQueryString).toBe('')
  expect(withoutWait(event(''), { query: WaitQuery }).rawQueryString).toBe('wait=false')
})

test.each([
  ['wait_seconds=55', 29_000, 'wait_seconds=25'],
  ['wait_seconds=55', 2_000, 'wait_seconds=0'],
  ['wait_seconds=5', 29_000, 'wait_seconds=5'],
  ['wait_seconds=99', 29_000, 'wait_seconds=99'],
  ['wait_seconds=x', 29_000, 'wait_seconds=x'],
  ['', 29_000, ''],
])('%j with %i ms left is %j', (given, remaining, expected) => {
  const facts = { query: WaitSecondsQuery }
  expect(withShortWait(event(given), facts, remaining).rawQueryString).toBe(expected)
})
