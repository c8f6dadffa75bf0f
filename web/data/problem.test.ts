import { expect, test } from 'vitest'
import { reasonNames } from '../../functions/compose/reason.ts'
import {
  combinedProblem,
  isLasting,
  isTemporary,
  nextStepOf,
  problemOf,
  resolvesItself,
} from './problem.ts'

const answer = (headers: Record<string, string>) => new Response(null, { status: 401, headers })

test('a login that needs a code is told by its header, in any language', () => {
  expect(problemOf(answer({ 'WWW-Authenticate': 'TOTP' }), { error: 'x' }).asksCode).toBe(true)
  expect(problemOf(answer({ 'WWW-Authenticate': 'Bearer' }), { error: 'x' })).not.toHaveProperty(
    'asksCode',
  )
})

test('the reason of a response is read, also one that only a newer service has', () => {
  const reasonIn = (headers: Record<string, string>) => problemOf(answer(headers), {}).reason
  expect(reasonIn({ 'X-Error-Reason': 'host-offline' })).toBe('host-offline')
  expect(reasonIn({ 'X-Error-Reason': 'from-a-newer-service' })).toBe('from-a-newer-service')
  expect(reasonIn({})).toBeUndefined()
})

test('every reason that does not depend on what was asked for says what to do next', () => {
  const without = reasonNames.filter((reason) => nextStepOf({ reason }) === undefined)
  expect(without).toEqual([
    'exists',
    'in-use',
    'conflict',
    'outcome-unknown',
    'invalid-compose',
    'limit',
  ])
  expect(nextStepOf({ reason: 'host-offline' })).toContain('agent')
})

test.each(['from-a-newer-service', '__proto__', 'toString', undefined])(
  '%s says nothing, and is neither lasting nor passing',
  (reason) => {
    const problem = { status: 500, error: 'no', ...(reason && { reason }) }
    expect([nextStepOf(problem), isLasting(problem), resolvesItself(problem)]).toEqual([
      ...[undefined, false, false],
    ])
    expect(isTemporary(problem)).toBe(true)
  },
)

test('a reason that lasts is not tried again, and none both lasts and passes', () => {
  const temporary = (reason: string) => isTemporary({ status: 500, error: 'no', reason })
  const lasting = reasonNames.filter((reason) => !temporary(reason))
  expect(lasting).toEqual(['policy', 'host-revoked', 'registry-refused', 'disk-full'])
  expect(lasting.filter((reason) => resolvesItself({ reason }))).toEqual([])
  expect(isTemporary({ status: 409, error: 'no', reason: 'lease-held' })).toBe(false)
  expect(isTemporary({ status: 0, error: 'no' })).toBe(true)
})

test('to do it again is offered only where the condition passes', () => {
  expect(reasonNames.filter((reason) => resolvesItself({ reason }))).toEqual([
    'lease-held',
    'overloaded',
    'slow-reader',
    'host-offline',
    'engine-busy',
    'registry-unreachable',
    'source-unreachable',
    'store-unavailable',
    'timeout',
  ])
})

test('several things have one problem, with a reason only if all failed for it', () => {
  const one = (name: string, reason: string) => ({
    name,
    problem: { status: 500, error: 'no', reason },
  })
  const both = [one('shop', 'host-offline'), one('blog', 'host-offline')]
  const error = 'shop: no; blog: no'
  expect(combinedProblem(both, 2)).toEqual({ status: 500, error, reason: 'host-offline' })
  expect(combinedProblem(both, 3)).toEqual({ status: 500, error })
  expect(combinedProblem([one('shop', 'host-offline'), one('blog', 'drift')], 2)).toEqual({
    status: 500,
    error,
  })
  expect(combinedProblem([], 2)).toBeUndefined()
})
