import { expect, test } from 'vitest'
import { ApiFailure } from '../failure.ts'
import { FolderFiles } from './folder-files.ts'
import { withLimitHint } from './limit-hint.ts'

const hintFor = async (status: number, reason: string) => {
  const request = () => Promise.reject(new ApiFailure(status, 'no', 1, { reason }))
  const failure = await withLimitHint(new FolderFiles('/shop', [], []), request).catch(
    (error) => error,
  )
  return failure.hint
}

test('says what to leave out of a folder that exceeds a limit', async () => {
  expect(await hintFor(422, 'limit')).toContain('.dockerignore')
})

test.each([
  [500, 'limit'],
  [422, 'conflict'],
])('does not say so of another failure: %i, %s', async (status, reason) => {
  expect(await hintFor(status, reason)).toBeUndefined()
})
