import { expect, test } from 'vitest'
import { Reply } from './reply.ts'
import { accepted, ended, operationFailure, WaitSecondsQuery } from './wait.ts'

test('202: says where the operation is, with its segments encoded', () => {
  expect(accepted({ id: 'r' }, 'r', 'things', 'a/b c', 'runs', 'r')).toEqual(
    new Reply(
      { id: 'r' },
      {
        status: 202,
        headers: { Location: '/api/v1/things/a%2Fb%20c/runs/r', 'X-Operation-Id': 'r' },
      },
    ),
  )
})

test('the id is also on the response of an operation that ended, and on its error', () => {
  expect(ended(undefined, { id: 'r', hasFailed: true })).toMatchObject({
    hasFailed: true,
    headers: { 'X-Operation-Id': 'r' },
  })
  const failure = operationFailure('r', 500, 'it failed', { reason: 'host-offline' })
  expect(failure).toMatchObject({
    status: 500,
    message: 'it failed',
    reason: 'host-offline',
    headers: { 'X-Operation-Id': 'r' },
  })
})

test.each(['0', '5', '55'])('wait_seconds=%s is a number', (text) => {
  expect(WaitSecondsQuery.parse({ wait_seconds: text })).toEqual({ wait_seconds: Number(text) })
})

test.each(['', '-1', '56', '100', '1.5', '1e1', ' 5'])('wait_seconds=%s is refused', (text) => {
  expect(WaitSecondsQuery.safeParse({ wait_seconds: text }).success).toBe(false)
})
