import { afterEach, expect, test } from 'vitest'
import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { countIgnoredErrors, type IgnoredErrors } from './ignored-errors.ts'

let ignored: IgnoredErrors | undefined
afterEach(() => ignored?.close())

test('counts ignored errors by their work and logs each at level debug', async () => {
  const log = memoryLog()
  ignored = countIgnoredErrors(log)
  expect(ignored.counts()).toEqual([])
  const lost = new Error('lost')
  expect(await Promise.reject(lost).catch(ignoreError('release a lease'))).toBeUndefined()
  await Promise.reject(new Error('lost again')).catch(ignoreError('release a lease'))
  await Promise.reject(new Error('away')).catch(ignoreError('remove a helper'))
  expect(ignored.counts()).toEqual([
    { work: 'release a lease', count: 2 },
    { work: 'remove a helper', count: 1 },
  ])
  expect(log.lines[0]).toEqual({
    level: 'debug',
    message: 'an error was ignored',
    fields: { work: 'release a lease', error: lost },
  })
  expect(log.lines).toHaveLength(3)
})

test('counts the failure of work in the background, and not its success', async () => {
  ignored = countIgnoredErrors(memoryLog())
  ignoreResult(Promise.resolve(), 'touch a token')
  ignoreResult(Promise.reject(new Error('away')), 'touch a token')
  await new Promise(setImmediate)
  expect(ignored.counts()).toEqual([{ work: 'touch a token', count: 1 }])
})

test('ignores errors without anything that counts them', async () => {
  expect(await Promise.reject(new Error('x')).catch(ignoreError('anything'))).toBeUndefined()
})
