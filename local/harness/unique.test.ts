import { expect, test } from 'vitest'
import { isUnique } from '../test/test-names.mjs'
import { unique } from './unique.ts'

test('the sweep recognises the names', () => {
  for (const name of [unique('crash'), `${unique('a')}_default`, `${unique('b-1')}-web-1`]) {
    expect(isUnique(name), name).toBe(true)
  }
})

test('each name is another one, and all begin with the run', () => {
  const [one, other] = [unique('crash'), unique('crash')]
  expect(one).not.toBe(other)
  expect(one.slice(0, 'cst-0a1b2c-'.length)).toBe(other.slice(0, 'cst-0a1b2c-'.length))
})
