import { expect, test } from 'vitest'
import { isPicked } from './mutation.ts'

const check = { file: 'functions/core/deploy/finish.ts', name: 'the same without an id' }

test.each([
  [[], true],
  [['finish.ts'], true],
  [['without', 'id'], true],
  [['finish.ts', 'the same'], true],
  [['finish.ts', 'another'], false],
  [['same', 'record.ts'], false],
])('selects checks that contain all of %j: %s', (words, expected) => {
  expect(isPicked(check, words)).toBe(expected)
})
