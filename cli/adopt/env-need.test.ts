import { expect, test } from 'vitest'
import { envNeed } from './env-need.ts'

const env = '# comment\nTAG=1\nexport PASSWORD="hush"\nA=\nB=\nC=\nD=\nOTHER: x\n'

test.each([
  ['image: app:${TAG}', 'the compose file uses TAG, which .env sets'],
  ['image: app:$TAG\nx: ${PASSWORD:?}', 'the compose file uses PASSWORD, TAG, which .env sets'],
  ['x: ${OTHER-default}', 'the compose file uses OTHER, which .env sets'],
  [
    'x: $A $B $C $D $TAG $PASSWORD',
    'the compose file uses A, B, C, D, PASSWORD and 1 more variables, which .env sets',
  ],
  ['image: app:$$TAG', undefined],
  ['image: app:${UNKNOWN}', undefined],
  ['image: app', undefined],
])('%j', (compose, need) => {
  expect(envNeed([compose], env, false)).toBe(need)
})

test('an env_file needs all variables', () => {
  expect(envNeed(['image: app'], env, true)).toBe('the compose file names .env as an env_file')
})

test('reads hostile files', () => {
  const variables = ['${'.repeat(200_000), '$A'.repeat(200_000)]
  expect(envNeed(variables, ' export'.repeat(100_000), false)).toBeUndefined()
  const spaces = `${' '.repeat(200_000)}${'A'.repeat(400_000)}`
  expect(envNeed(['$'.repeat(400_000)], spaces, false)).toBeUndefined()
})
