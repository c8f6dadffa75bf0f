import { expect, expectTypeOf, test } from 'vitest'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { failureResponse } from '../kit/failures.ts'
import {
  conflict,
  Failure,
  type FailureStatus,
  failureReason,
  forbidden,
  internalError,
  internalFailure,
  isTransient,
  leaseHeld,
  overloaded,
  type Reason,
  type ReasonedStatus,
  reasonNames,
  refusedByPolicy,
  shuttingDown,
  unprocessable,
  unusable,
} from './errors.ts'
import { levelOf, logFailure } from './log-failure.ts'

/** Every status of a failure. The compiler reports one that is missing here. */
const hasReason: Record<FailureStatus, boolean> = {
  400: false,
  401: false,
  403: false,
  404: false,
  423: false,
  409: true,
  422: true,
  500: true,
}
const statuses = Object.keys(hasReason).map(Number) as FailureStatus[]
const sent = (failure: Failure) => failureResponse(failure, 'r').headers['X-Error-Reason']

test('every failure of 409, 422 and 500 has a reason, whoever throws it', () => {
  expectTypeOf<ReasonedStatus>().toEqualTypeOf<409 | 422 | 500>()
  for (const status of statuses) {
    const plain = new Failure(status, 'no')
    expect(plain.reason !== undefined, `${status}`).toBe(hasReason[status])
    expect(sent(plain)).toBe(plain.reason)
    if (hasReason[status]) expect(reasonNames).toContain(plain.reason)
  }
})

test('a failure has the reason that is given, then that of its cause, then the usual one', () => {
  const cause = internalError('offline', { reason: 'host-offline' })
  expect(internalError('no', { reason: 'timeout', cause }).reason).toBe('timeout')
  expect(internalError('no', { cause }).reason).toBe('host-offline')
  expect(new Failure(404, 'no', { cause }).reason).toBeUndefined()
  const made = [conflict, unprocessable, unusable, internalError, refusedByPolicy, forbidden]
  expect(made.map((make) => sent(make('no')))).toEqual([
    ...['conflict', 'invalid-compose', 'conflict', 'internal', 'policy', undefined],
  ])
})

test('an error that is not a failure is internal, unless a connection broke', () => {
  expect(failureReason(new TypeError('bug'))).toBe('internal')
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  expect(failureReason(aborted)).toBe('timeout')
  expect(sent(internalFailure(new TypeError('bug')))).toBe('internal')
})

test('only internal failures are logged as errors', () => {
  const levels = reasonNames.filter((reason) => levelOf(reason) === 'error')
  expect(levels).toEqual(['internal'])
  const log = memoryLog()
  const fail = (reason: Reason) =>
    logFailure(log, 'it failed', { what: 1, error: internalError('no', { reason }) })
  fail('host-offline')
  fail('internal')
  expect(log.lines.map(({ level, fields }) => [level, fields.reason, fields.what])).toEqual([
    ['warn', 'host-offline', 1],
    ['error', 'internal', 1],
  ])
})

test.each([
  [overloaded('the queue is full'), true],
  [shuttingDown(), true],
  [internalError('a quota', { reason: 'limit' }), false],
  [internalError('no response within 5 s', { reason: 'engine-busy' }), true],
  [leaseHeld('another restore of it is running'), true],
  [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), true],
  [unprocessable('the project is too large', { reason: 'limit' }), false],
  [conflict('the limit of 20 roles is reached', { reason: 'limit' }), false],
  [internalError('no such image', { reason: 'engine-failed' }), false],
  [conflict('the name is taken'), false],
  [new TypeError('x is not a function'), false],
])('tells what was refused for now from what failed: %s', (error, isPassing) => {
  expect(isTransient(error)).toBe(isPassing)
})
