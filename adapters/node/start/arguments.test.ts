import { expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'

const none = { help: false, check: false, acceptLostKeys: false, upgradeHelper: false }

test('reads the words of the command line', () => {
  expect(parseArguments([])).toEqual(none)
  expect(parseArguments(['--check'])).toEqual({ ...none, check: true })
  expect(parseArguments(['--accept-lost-keys'])).toEqual({ ...none, acceptLostKeys: true })
  expect(parseArguments(['--upgrade-helper'])).toEqual({ ...none, upgradeHelper: true })
  expect(parseArguments(['-h'])).toEqual(parseArguments(['--help']))
})

test('returns the first word that is unknown', () => {
  expect(parseArguments(['--check', '--chek', 'x'])).toBe('--chek')
  expect(parseArguments(['constructor'])).toBe('constructor')
})
