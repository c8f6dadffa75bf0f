import { expect, test } from 'vitest'
import { reasonNames } from '../functions/compose/reason.ts'
import { refused } from './api/read-response.ts'
import { ApiFailure, isTemporary } from './failure.ts'
import { hintOf } from './reason-hints.ts'

const target = { server: 'https://stacks.example.org', insecure: false }
const answer = (status: number, headers: Record<string, string> = {}) =>
  refused({ status, headers, text: '{"error":"no"}' }, target)

test('shows what helps for a reason, and the request id where nothing is known', () => {
  const headers = { 'x-request-id': 'abc-1' }
  expect(answer(500, { ...headers, 'x-error-reason': 'host-offline' }).hint).toContain('agent')
  expect(answer(403, { 'x-error-reason': 'policy' })).toMatchObject({
    exitCode: 4,
    reason: 'policy',
    hint: expect.stringContaining('stacks:privileged'),
  })
  expect(answer(500, { ...headers, 'x-error-reason': 'internal' }).hint).toBe('request id: abc-1')
  expect(answer(500, headers).hint).toBe('request id: abc-1')
  expect(answer(409, { 'x-error-reason': 'exists' }).hint).toBeUndefined()
})

test.each([
  ['backup job nightly is blocked: account olga was deleted', 'cli backups take-over'],
  ['job shop.nightly is blocked: account olga was deleted', 'cli stacks jobs update --take-over'],
  ['stack shop: source estate was saved by an account with fewer rights', 'cli sources update'],
  ['source estate: account olga is disabled', 'cli sources update'],
  ['source estate: its hook is blocked: account olga is disabled', 'rotate'],
  ['what a newer service blocks', 'save it again'],
])('the hint fits what is blocked: %s', (error, hint) => {
  const blocked = { status: 409, headers: { 'x-error-reason': 'blocked' } }
  const failure = refused({ ...blocked, text: JSON.stringify({ error }) }, target)
  expect(failure.hint).toContain(hint)
})

test.each(['from-a-newer-service', '__proto__', 'toString'])('%s has no hint', (reason) => {
  expect(answer(409, { 'x-error-reason': reason }).hint).toBeUndefined()
})

test('a reason that lasts is not worth another try', () => {
  const tries = (reason: string) => isTemporary(new ApiFailure(500, 'no', 1, { reason }))
  const lasting = reasonNames.filter((reason) => !tries(reason))
  expect(lasting).toEqual(['host-revoked', 'registry-refused', 'disk-full'])
  expect(tries('from-a-newer-service')).toBe(true)
  expect(reasonNames.filter((reason) => hintOf(reason)).length).toBeGreaterThan(10)
})
