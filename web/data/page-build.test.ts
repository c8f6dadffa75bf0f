import { expect, test } from 'vitest'
import { isOtherBuild } from './page-build.ts'

const page = { version: '0.1.0', commit: 'aa' }

test.each([
  ['the same', page, false],
  ['another version', { version: '0.2.0', commit: 'aa' }, true],
  ['another commit', { ...page, commit: 'bb' }, true],
  ['an unknown commit', { ...page, commit: null }, false],
  ['another version of an unknown commit', { version: '0.2.0', commit: null }, true],
])('%s', (_, service, isOther) => {
  expect(isOtherBuild(page, service)).toBe(isOther)
})
