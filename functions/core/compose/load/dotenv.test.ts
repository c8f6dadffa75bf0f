import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDotenv, parseRawEnv } from './dotenv.ts'

const parse = (text: string, environment: Record<string, string> = {}) =>
  Object.fromEntries(parseDotenv(text, '.env', (name) => environment[name]))

describe('a .env text', () => {
  test.each([
    ['a value', 'TOWN=Oslo', { TOWN: 'Oslo' }],
    ['the form of YAML', 'TOWN: Oslo', { TOWN: 'Oslo' }],
    ['export', 'export TOWN=Oslo\nexport\tRIVER=Aker', { TOWN: 'Oslo', RIVER: 'Aker' }],
    ['a key that only begins like export', 'exporter=me', { exporter: 'me' }],
    ['blanks around', '  TOWN =  Oslo  ', { TOWN: 'Oslo' }],
    ['comments', '# first\nTOWN=Oslo # capital\n  # last', { TOWN: 'Oslo' }],
    ['a # that begins no comment', 'COLOUR=a#b', { COLOUR: 'a#b' }],
    ['nothing', 'EMPTY=\nALSO=""', { EMPTY: '', ALSO: '' }],
    ['a byte order mark and CRLF', '\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    [
      'keys of letters, digits and _.-[]',
      'a.b-c_d[1]=x\nÄrger=y',
      { 'a.b-c_d[1]': 'x', Ärger: 'y' },
    ],
    ['equals signs in a value', 'QUERY=a=b&c=d', { QUERY: 'a=b&c=d' }],
    ['the last of two', 'A=1\nA=2', { A: '2' }],
  ])('has %s', (_, text, variables) => expect(parse(text)).toEqual(variables))

  test.each([
    ['no variables in single quotes', "A='$B ${C}'", { A: '$B ${C}' }],
    ['a single quote that is escaped', "A='it\\'s'", { A: "it's" }],
    ['no other escapes in single quotes', "A='x\\ny'", { A: 'x\\ny' }],
    ['escapes in double quotes', 'A="x\\ny\\t\\"z\\" \\\\ \\0101"', { A: 'x\ny\t"z" \\ A' }],
    ['escapes nobody knows as they are', 'A="\\x41 \\q"', { A: '\\x41 \\q' }],
    ['an escaped dollar', 'A="\\$HOME"', { A: '$HOME' }],
    ['several lines', 'A="one\ntwo"\nB=\'three\nfour\'', { A: 'one\ntwo', B: 'three\nfour' }],
    ['a comment behind quotes', 'A="x" # no\nB=\'y\' # no', { A: 'x', B: 'y' }],
    ['a # inside of quotes', 'A="x # y"', { A: 'x # y' }],
    ['quotes inside of the other', 'A="it\'s"\nB=\'"x"\'', { A: "it's", B: '"x"' }],
  ])('has %s', (_, text, variables) => expect(parse(text)).toEqual(variables))

  test('puts in variables: those given first, then keys before', () => {
    const text = 'PORT=80\nURL=http://$HOST:${PORT}\nMODE=${MODE:-quiet}'
    expect(parse(text, { HOST: 'db' })).toEqual({ PORT: '80', URL: 'http://db:80', MODE: 'quiet' })
    expect(parse(text, { HOST: 'db', PORT: '81' }).URL).toBe('http://db:81')
  })

  test('puts in keys of files before', () => {
    expect(parseDotenv('B=$A', '.env', undefined, new Map([['A', '1']])).get('B')).toBe('1')
  })

  test('takes a bare key from the given variables, or leaves it out', () => {
    expect(parse('KNOWN\nUNKNOWN\nLAST', { KNOWN: '1', LAST: '2' })).toEqual({
      KNOWN: '1',
      LAST: '2',
    })
  })

  test.each([
    ['A=1\nB C=2', '.env', 2, 'key cannot contain a space'],
    ['A=1\n\nB%=2', '.env', 3, 'unexpected character "%" in variable name "B%=2"'],
    ['A=1\nB="x\ny', '.env', 2, 'unterminated quoted value'],
    ["A='x", '.env', 1, 'unterminated quoted value'],
    ['A=${B:?must be set}', '.env', 1, 'required variable B is missing a value: must be set'],
  ])('is refused with its line: %j', (text, file, line, detail) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ detail, position: expect.objectContaining({ file, line }) }),
    )
  })

  test('does not repeat a value in its refusal', () => {
    expect(() => parse('PASSWORD="hunter2')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    )
  })

  test('gives back what was put in single quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const clean = value.replace(/[\\'\r]/g, '')
        expect(parse(`A='${clean}'`)).toEqual({ A: clean })
      }),
    )
  })

  test('never fails but with a place', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'A="\'$ {}#\n\\:é') }), (text) => {
        try {
          parse(text)
        } catch (error) {
          expect(error).toMatchObject({ position: { file: '.env', line: expect.any(Number) } })
        }
      }),
    )
  })
})

test('a raw env file has its values as they stand', () => {
  const text = '# no\nA="$B" # part of it\nC\nD=\n'
  expect(Object.fromEntries(parseRawEnv(text, () => 'given'))).toEqual({
    A: '"$B" # part of it',
    C: 'given',
    D: '',
  })
})
