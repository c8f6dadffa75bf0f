import { expect, test } from 'vitest'
import { profilesIn } from './profiles-in.ts'

test.each([
  ['services:\n  a:\n    profiles: [debug, "tools"]\n', ['debug', 'tools']],
  ['services: {a: {image: b, profiles: [tools]}}', ['tools']],
  ["services:\n  a:\n    profiles:\n      - 'x' # why\n      - y\n    image: z\n", ['x', 'y']],
  ['services:\n  a:\n    profiles: ["${P}"]\n', []],
  ['services:\n  a:\n    # profiles: [no]\n    image: a\n', []],
])('%j names %o', (text, names) => {
  expect(profilesIn([text])).toEqual(names)
})

test('names of several files come once', () => {
  expect(profilesIn(['  profiles: [b, a]', '  profiles: [b]'])).toEqual(['a', 'b'])
})
