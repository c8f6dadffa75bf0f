import { describe, expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { parseDotenv, parseRawEnv, splitDotenv } from './dotenv.ts'

const parse = (text: string, environment: Record<string, string> = {}) =>
  Object.fromEntries(parseDotenv(text, '.env', (name) => environment[name]))

describe('a .env file', () => {
  test.each([
    ['a value', 'TOWN=Oslo', { TOWN: 'Oslo' }],
    ['YAML syntax', 'TOWN: Oslo', { TOWN: 'Oslo' }],
    ['export', 'export TOWN=Oslo\nexport\tRIVER=Aker', { TOWN: 'Oslo', RIVER: 'Aker' }],
    ['a key that begins with export', 'exporter=me', { exporter: 'me' }],
    ['blanks around', '  TOWN =  Oslo  ', { TOWN: 'Oslo' }],
    ['comments', '# first\nTOWN=Oslo # capital\n  # last', { TOWN: 'Oslo' }],
    ['a # inside a value', 'COLOUR=a#b', { COLOUR: 'a#b' }],
    ['nothing', 'EMPTY=\nALSO=""', { EMPTY: '', ALSO: '' }],
    ['a byte order mark and CRLF', '\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    [
      'keys of letters, digits and _.-[]',
      'a.b-c_d[1]=x\nÄrger=y',
      { 'a.b-c_d[1]': 'x', Ärger: 'y' },
    ],
    ['equals signs in a value', 'QUERY=a=b&c=d', { QUERY: 'a=b&c=d' }],
    ['the last of two equal keys', 'A=1\nA=2', { A: '2' }],
  ])('reads %s', (_, text, variables) => expect(parse(text)).toEqual(variables))

  test.each([
    ['no variables in single quotes', "A='$B ${C}'", { A: '$B ${C}' }],
    ['an escaped single quote', "A='it\\'s'", { A: "it's" }],
    ['no other escapes in single quotes', "A='x\\ny'", { A: 'x\\ny' }],
    ['escapes in double quotes', 'A="x\\ny\\t\\"z\\" \\\\ \\0101"', { A: 'x\ny\t"z" \\ A' }],
    ['unknown escapes unchanged', 'A="\\x41 \\q"', { A: '\\x41 \\q' }],
    ['an escaped dollar', 'A="\\$HOME"', { A: '$HOME' }],
    ['several lines', 'A="one\ntwo"\nB=\'three\nfour\'', { A: 'one\ntwo', B: 'three\nfour' }],
    ['a comment after quotes', 'A="x" # no\nB=\'y\' # no', { A: 'x', B: 'y' }],
    ['a # inside quotes', 'A="x # y"', { A: 'x # y' }],
    ['one kind of quotes inside the other', 'A="it\'s"\nB=\'"x"\'', { A: "it's", B: '"x"' }],
  ])('has %s', (_, text, variables) => expect(parse(text)).toEqual(variables))

  test('substitutes variables; given ones take precedence over earlier keys of the file', () => {
    const text = 'PORT=80\nURL=http://$HOST:${PORT}\nMODE=${MODE:-quiet}'
    expect(parse(text, { HOST: 'db' })).toEqual({ PORT: '80', URL: 'http://db:80', MODE: 'quiet' })
    expect(parse(text, { HOST: 'db', PORT: '81' }).URL).toBe('http://db:81')
  })

  test('substitutes keys of earlier files', () => {
    expect(parseDotenv('B=$A', '.env', undefined, new Map([['A', '1']])).get('B')).toBe('1')
  })

  test('takes a bare key from the given variables, or omits it', () => {
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
  ])('rejects a faulty line with its number: %j', (text, file, line, detail) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ detail, position: expect.objectContaining({ file, line }) }),
    )
  })

  test('does not repeat a value in the error', () => {
    expect(() => parse('PASSWORD="hunter2')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    )
  })

  test('reads single-quoted text back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const clean = value.replace(/[\\'\r]/g, '')
        expect(parse(`A='${clean}'`)).toEqual({ A: clean })
      }),
    )
  })

  test('every error has a file and a line', () => {
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

test('takes the values of a raw env file literally', () => {
  const text = '# no\nA="$B" # part of it\nC\nD=\n'
  expect(Object.fromEntries(parseRawEnv(text, () => 'given'))).toEqual({
    A: '"$B" # part of it',
    C: 'given',
    D: '',
  })
})

test('splits a .env file into its statements, as they are written', () => {
  const text = '\uFEFF# c\r\nexport A="1\r\n2" # d\r\nB: $A # e\r\nC\r\nD=\'$A\'\r\n'
  const { source, statements } = splitDotenv(text, '.env')
  expect(statements.map(({ key, text, value }) => [key, text, value])).toEqual([
    ['A', 'export A="1\n2"', '1\n2'],
    ['B', 'B: $A # e', '$A'],
    ['C', 'C', undefined],
    ['D', "D='$A'", '$A'],
  ])
  expect(statements.map(({ isLiteral }) => isLiteral)).toEqual([false, false, false, true])
  for (const { start, end, text } of statements) expect(source.slice(start, end)).toBe(text)
})
