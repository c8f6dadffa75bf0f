import { expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'

const problem = (error: string, status = 400) => ({ status, error })

test('each error of a form is said at its field', () => {
  const both = problem(
    'body.username: must have 1 to 64 characters; body.password: is too short; sorry',
  )
  expect(fieldErrors(both, ['username', 'password'])).toEqual({
    of: { username: 'must have 1 to 64 characters', password: 'is too short; sorry' },
    rest: undefined,
  })
})

test('what no field of the form has is said for the form', () => {
  const mixed = problem('body.username: is taken; body.role: is unknown')
  expect(fieldErrors(mixed, ['username'])).toEqual({ of: { username: 'is taken' }, rest: mixed })
  const other = problem('the request has no body')
  expect(fieldErrors(other, ['username'])).toEqual({ of: {}, rest: other })
  const refused = problem('body.username: is taken', 403)
  expect(fieldErrors(refused, ['username'])).toEqual({ of: {}, rest: refused })
  expect(fieldErrors(undefined, ['username'])).toEqual({ of: {}, rest: undefined })
})
