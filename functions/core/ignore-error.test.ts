import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import { internalError } from './errors.ts'
import { type IgnoredError, ignoredErrors, ignoreError, ignoreFailure } from './ignore-error.ts'

/** Returns the work whose errors are counted from now on. */
function counted(): string[] {
  const found: string[] = []
  const note = (message: unknown) => void found.push((message as IgnoredError).work)
  subscribe(ignoredErrors.name, note)
  onTestFinished(() => void unsubscribe(ignoredErrors.name, note))
  return found
}

test('counts every error that is ignored', async () => {
  const found = counted()
  expect(await Promise.reject(internalError('away')).catch(ignoreError('look'))).toBeUndefined()
  expect(found).toEqual(['look'])
})

test('a failure is expected; any other error is counted', async () => {
  const found = counted()
  expect(await Promise.reject(internalError('away')).catch(ignoreFailure('look'))).toBeUndefined()
  expect(found).toEqual([])
  expect(await Promise.reject(new TypeError('x')).catch(ignoreFailure('look'))).toBeUndefined()
  expect(found).toEqual(['look'])
})
