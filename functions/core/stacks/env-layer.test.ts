import { expect, test } from 'vitest'
import { parseDotenv } from '../../compose/load/dotenv.ts'
import {
  type EnvParts,
  type EnvVariable,
  envVariables,
  joinEnv,
  keptEnv,
  newlyMixed,
  overShared,
} from './env-layer.ts'

const valuesOf = (text: string) => Object.fromEntries(parseDotenv(text, '.env'))

test.each<[name: string, source: string | null, own: string | null, joined: string | null]>([
  ['neither part', null, null, null],
  ['the source alone, as it is', '# c\r\nA=1\r\n', null, '# c\r\nA=1\r\n'],
  ['what is kept alone, as it is', null, '# c\nA=1', '# c\nA=1'],
  ['a variable in place', '# c\nA=1\n\nB=2 # b\n', 'A=3\n', '# c\nA=3\n\nB=2 # b\n'],
  ['others at the end', 'A=1', 'B=2\nC=3\n', 'A=1\nB=2\nC=3\n'],
  ['an empty file of the source', '', 'B=2\n', 'B=2\n'],
  ['each one of the source', 'A=1\nB=$A\nA=2\n', 'A=3\n', 'A=3\nB=$A\n\n'],
  ['values of several lines', 'A="1\n2"\nB=2\n', "A='3\n4'\n", "A='3\n4'\nB=2\n"],
  ['what follows in the line', 'A="1" B=2\n', 'A=3\n', 'A=3\n B=2\n'],
  ['a comment in the line', 'A="1"# c\n', 'A=3\n', 'A=3\n# c\n'],
  ['export and YAML syntax', 'export A=1\nB: 2\n', 'A=3\nB=4\n', 'A=3\nB=4\n'],
  ['what a kept value refers to', 'A=1\nB=2\n', 'C=3\nB=$C-x\nD=4\n', 'A=1\nC=3\nB=$C-x\nD=4\n'],
  ['what refers to a later one', 'B=1\nA=2\n', 'A=3\nC=$A\nB=$A-x\n', '\nA=3\nC=$A\nB=$A-x\n'],
  [
    'what refers to such a one',
    'B=1\nD=0\nA=2\n',
    'A=3\nB=$A\nC=$B\nD=$C\n',
    '\n\nA=3\nB=$A\nC=$B\nD=$C\n',
  ],
  ['what refers to itself', 'A=1\nB=2\n', 'B=$B-x\n', 'A=1\nB=$B-x\n'],
])('joins %s', (_, source, own, joined) => {
  const parts = { source, own }
  const text = joinEnv(parts)
  expect(text).toBe(joined)
  if (text === null || source === null) return
  // What was joined and is written again keeps the same.
  expect(joinEnv({ source, own: keptEnv(text, parts) })).toBe(text)
  expect(valuesOf(text)).toMatchObject(own === null ? {} : { ...valuesOf(own) })
})

test.each<[name: string, text: string, source: string, own: string | null, kept: string | null]>([
  ['nothing of an equal text', 'A=1\nB=2\n', 'A=1\nB=2\n', null, null],
  ['nothing of equal values in other quotes', 'A="1"\n', 'A=1\n', null, null],
  ['other and more variables', 'A=1\nB=3\nC=4\n', 'A=1\nB=2\n', null, 'B=3\nC=4\n'],
  ['no variable that is left out', 'A=1\n', 'A=1\nB=2\n', 'A=3\nB=4\n', null],
  ['what was kept, if the source has it by now', 'A=1\nB=5\n', 'A=1\n', 'A=1\n', 'A=1\nB=5\n'],
  ['a variable alone', 'A\n', 'A=1\n', null, 'A\n'],
  ['a reference in other quotes', "A='$B'\n", 'A=$B\n', null, "A='$B'\n"],
])('keeps %s', (_, text, source, own, kept) => {
  expect(keptEnv(text, { source, own })).toBe(kept)
})

test('says of each variable where its value is from', () => {
  expect(envVariables({ source: 'A=1\nB=2\n', own: 'C=3\nB=4\n' })).toEqual([
    { name: 'A', origin: 'source', covers: false },
    { name: 'B', origin: 'service', covers: true },
    { name: 'C', origin: 'service', covers: false },
  ])
  expect(envVariables({ source: null, own: 'A=1\n' })).toEqual([
    { name: 'A', origin: 'service', covers: false },
  ])
})

const ofService = (name: string): EnvVariable => ({ name, origin: 'service', covers: false })
const ofSet = (name: string, set: string): EnvVariable => ({
  name,
  origin: 'shared',
  covers: false,
  set,
})

test.each<[what: string, own: EnvVariable[], shared: Record<string, { set: string }>, all: object]>(
  [
    ['no set', [ofService('A')], {}, [ofService('A')]],
    ['no .env', [], { A: { set: 'home' } }, [ofSet('A', 'home')]],
    [
      'a variable of both',
      [ofService('A'), ofService('B')],
      { B: { set: 'home' }, C: { set: 'mail' } },
      [ofService('A'), { ...ofService('B'), set: 'home' }, ofSet('C', 'mail')],
    ],
    [
      'one of the source too',
      [{ name: 'A', origin: 'source', covers: false }],
      { A: { set: 'home' } },
      [{ name: 'A', origin: 'source', covers: false, set: 'home' }],
    ],
    ['a name of objects', [ofService('constructor')], {}, [ofService('constructor')]],
  ],
)('sets below .env: %s', (_, own, shared, all) => {
  expect(overShared(own, shared)).toEqual(all)
})

const secret = 'PIN=1\n'

test.each<[name: string, before: EnvParts, after: Partial<EnvParts>, names: string[]]>([
  ['no variable of the source alone', { source: null, own: secret }, { source: 'A=1\nB=$A\n' }, []],
  ['a reference', { source: 'A=1\n', own: secret }, { source: 'PIN=2\nA=${PIN}\n' }, ['A']],
  [
    'what refers to a changed variable, through any of its lines',
    { source: 'C=$B\nB=$A\n', own: secret },
    { source: 'A="x-${X:-$PIN}"\nB=$A\nC=$B\nA=1\n' },
    ['A', 'B', 'C'],
  ],
  [
    'no reference that was there',
    { source: 'A=$PIN\n', own: secret },
    { source: 'D=1\nA=$PIN\n' },
    [],
  ],
  [
    'no reference that was kept here',
    { source: null, own: `${secret}A=$PIN\n` },
    { source: 'A=$PIN\n', own: secret },
    [],
  ],
  ['no text in single quotes', { source: null, own: secret }, { source: "A='$PIN'\n" }, []],
  ['what a user writes', { source: secret, own: null }, { own: 'A=$PIN\n' }, ['A']],
  [
    'no reference to what the user covers',
    { source: secret, own: null },
    { own: 'PIN=2\nA=$PIN\n' },
    [],
  ],
  [
    'what refers to a variable that the user covers no longer',
    { source: secret, own: 'PIN=2\nA=$PIN\nB=$A\n' },
    { own: 'A=$PIN\nB=$A\n' },
    ['A', 'B'],
  ],
  [
    'what shows such a variable besides others',
    { source: 'PIN=1\nT=$PIN\nU=2\n', own: 'PIN=2\nA=$T\nB=$U\n' },
    { own: 'A=$T\nB=$U\n' },
    ['A'],
  ],
  [
    'no reference that depended on the source before',
    { source: secret, own: 'A=$PIN\n' },
    { own: 'A=$PIN\nC=1\n' },
    [],
  ],
])('puts values of others into %s', (_, before, change, names) => {
  const author = change.source === undefined ? 'own' : 'source'
  expect([...newlyMixed(before, { ...before, ...change }, author)].sort()).toEqual(names)
})

test('a part that cannot be read is an error with its line', () => {
  expect(() => joinEnv({ source: 'A=1\nB="2\n', own: 'A=2\n' })).toThrow('unterminated')
})
