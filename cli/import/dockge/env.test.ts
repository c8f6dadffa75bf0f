import { expect, test } from 'vitest'
import { parseDotenv } from '../../../functions/compose/load/dotenv.ts'
import { joinedEnv, readVariables, valuesOf, wholeEnv } from './env.ts'

const hard = {
  PLAIN: 'a/b:c@d,e+f-g',
  SPACES: 'one two  ',
  SINGLE: "it's $HOME",
  DOUBLE: 'p$4ss"word',
  BACKSLASH: 'C:\\dir\\"x"\\',
  LINES: 'one\ntwo',
  HASH: 'a #b',
  EMPTY: '',
}

/** Returns variables as if `global.env` had them. */
const withGlobals = (globals: Record<string, string>, ownText?: string) => ({
  globals: new Map(Object.entries(globals)),
  own: new Map<string, string>(),
  ownText,
  problems: [],
})

test('writes every value so that it is read as it was', () => {
  const text = wholeEnv(withGlobals(hard))
  expect(Object.fromEntries(parseDotenv(text ?? '', '.env'))).toEqual(hard)
})

test('variables of the .env win, and may use those of global.env', () => {
  const variables = readVariables('A=1\nB=2\n', 'B=${A}${B}\nC=${A}\n')
  expect(valuesOf(variables)).toEqual({ A: '1', B: '12', C: '1' })
  const text = joinedEnv(variables, [])?.text ?? ''
  expect(Object.fromEntries(parseDotenv(text, '.env'))).toEqual({ A: '1', B: '12', C: '1' })
})

test.each([
  ['image: app:${TAG}', ['TAG']],
  ['x: $OTHER $$TAG', ['OTHER']],
  ['x: ${UNSET:-${OTHER}}', ['OTHER']],
  ['image: app', undefined],
])('%s uses %j', (compose, names) => {
  const variables = withGlobals({ TAG: '1', OTHER: '2' })
  expect(joinedEnv(variables, [compose])?.names).toEqual(names)
})

test('variables that docker compose reads itself are always used', () => {
  const variables = withGlobals({ COMPOSE_PROFILES: 'web' })
  expect(joinedEnv(variables, [])?.names).toEqual(['COMPOSE_PROFILES'])
})

test('names file and line of what is not valid, without the value', () => {
  const { problems } = readVariables('A=1\nB="hush', "C='hush")
  expect(problems).toEqual([
    expect.stringMatching(/^global\.env:2: unterminated quoted value$/),
    expect.stringMatching(/^\.env:1: unterminated quoted value$/),
  ])
})

test('a byte order mark of the .env is no part of a name', () => {
  const variables = withGlobals({ TAG: '1' }, '\uFEFFA=${TAG}\n')
  expect(joinedEnv(variables, [])?.text).toBe('# From global.env of Dockge\nTAG=1\n\nA=${TAG}\n')
})
