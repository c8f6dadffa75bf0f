import { expect, test } from 'vitest'
import { problemOf } from './problem.ts'

const answer = (headers: Record<string, string>) => new Response(null, { status: 401, headers })

test('a login that needs a code is told by its header, in any language', () => {
  expect(problemOf(answer({ 'WWW-Authenticate': 'TOTP' }), { error: 'x' }).asksCode).toBe(true)
  expect(problemOf(answer({ 'WWW-Authenticate': 'Bearer' }), { error: 'x' })).not.toHaveProperty(
    'asksCode',
  )
})
