import { expect, test } from 'vitest'
import { isPicked } from './mutation.ts'

const check = { file: 'functions/core/stacks/run.ts', name: 'the same without an id' }

test.each([
  [[], true],
  [['run.ts'], true],
  [['without', 'id'], true],
  [['run.ts', 'the same'], true],
  [['run.ts', 'another'], false],
  [['same', 'begin.ts'], false],
])('selects checks that contain all of %j: %s', (words, expected) => {
  expect(isPicked(check, words)).toBe(expected)
})
