import { describe, expect, test } from 'vitest'
import { parseYaml } from './yaml.ts'
import { printNumber, resolvePlain } from './yaml-scalar.ts'

const read = (text: string) => parseYaml(text, 'compose.yaml').map(({ value }) => value)
const refusal = (text: string) => {
  try {
    parseYaml(text, 'compose.yaml')
  } catch (error) {
    return error
  }
  throw new Error('it was accepted')
}

describe('a plain scalar', () => {
  test.each([
    ['0440', 288],
    ['0o17', 15],
    ['0x1F', 31],
    ['0b101', 5],
    ['1_000', 1000],
    ['+7', 7],
    ['-7', -7],
    ['08', 8],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['1e6', '1e+06'],
    ['12345678901234567890', '12345678901234567890'],
    ['99999999999999999999', '1e+20'],
    ['.inf', '+Inf'],
    ['.nan', 'NaN'],
    ['true', true],
    ['False', false],
    ['~', null],
    ['', null],
    ['yes', 'yes'],
    ['on', 'on'],
    ['22:22', '22:22'],
    ['1.2.3', '1.2.3'],
    ['-', '-'],
    ['2024-02-29', '2024-02-29 00:00:00 +0000 UTC'],
    ['2023-02-29', '2023-02-29'],
  ])('%s', (text, value) => expect(resolvePlain(text)).toBe(value))

  test.each([
    [1000000, '1000000'],
    [2.5, '2.5'],
    [1234567.5, '1.2345675e+06'],
    [0.00001, '1e-05'],
  ])('%d prints as %s', (value, text) => expect(printNumber(value)).toBe(text))

  test('in quotes is a string', () => {
    expect(read('a: "0440"\nb: \'yes\'\nc: !!str 5')).toEqual([{ a: '0440', b: 'yes', c: '5' }])
  })
})

describe('a document', () => {
  test('resolves anchors and merge keys: own keys first, then those of earlier mappings', () => {
    const text = 'x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz:\n  c: 3\n  <<: [*x, *y]\nl: [*x]'
    expect(read(text)[0]).toMatchObject({ z: { a: 1, b: 1, c: 3 }, l: [{ a: 1, b: 1 }] })
  })

  test('uses the last anchor of a name', () => {
    expect(read('a: &n 1\nb: *n\nc: &n 2\nd: *n')).toEqual([{ a: 1, b: 1, c: 2, d: 2 }])
  })

  test('may be one of several, or empty', () => {
    expect(read('a: 1\n---\nb: 2')).toEqual([{ a: 1 }, { b: 2 }])
    expect(read('# nothing')).toEqual([])
  })

  test('reports the positions of !reset and !override, also through aliases and merge keys', () => {
    const text = 'a: !reset\nb: !override {x: 1}\nc: &c\n  d: !reset []\ne:\n  <<: *c'
    const [document] = parseYaml(text, 'compose.yaml')
    expect(document?.value).toEqual({ b: { x: 1 }, c: {}, e: {} })
    expect(document?.tags.map(({ path, tag }) => `${path.join('.')} ${tag}`)).toEqual([
      'a !reset',
      'b !override',
      'c.d !reset',
      'e.d !reset',
    ])
  })

  test('reports the position of a path', () => {
    const [document] = parseYaml(
      'a:\n  b:\n    - x\n    - y\nc: &c {d: 1}\ne: {<<: *c}',
      'compose.yaml',
    )
    expect(document?.locate(['a', 'b', 1])).toEqual({ line: 4, column: 7, depth: 3 })
    expect(document?.locate(['a', 'z'])).toEqual({ line: 1, column: 1, depth: 1 })
    expect(document?.locate(['e', 'd'])).toEqual({ line: 5, column: 8, depth: 2 })
  })

  test.each([
    [
      'a duplicate key',
      'a:\n  b: 1\n  b: 2',
      { line: 3, column: 3 },
      'mapping key "b" is already defined in line 2',
    ],
    [
      'a tab',
      'a:\n\tb: 1',
      { line: 2, column: 1 },
      'a tab is not allowed as indentation: use spaces',
    ],
    [
      'a key that is a number',
      'a:\n  1: x',
      { line: 2, column: 3 },
      'a key must be a string, this is not: 1',
    ],
    [
      'a key that is a boolean',
      'true: x',
      { line: 1, column: 1 },
      'a key must be a string, this is not: true',
    ],
    ['an unknown alias', 'a: *b', { line: 1, column: 4 }, 'unknown anchor "b"'],
    [
      'an alias inside itself',
      'a: &a\n  b: *a',
      { line: 2, column: 3 },
      'an alias refers to a node that contains it',
    ],
    [
      'a merge of a scalar',
      'a: &a x\nb:\n  <<: *a',
      { line: 3, column: 7 },
      'a merge key needs a mapping or a list of mappings',
    ],
    [
      'a dangerous key',
      '__proto__: {a: 1}',
      { line: 1, column: 1 },
      'a key must not be "__proto__"',
    ],
  ])('is rejected for %s', (_, text, place, detail) => {
    expect(refusal(text)).toMatchObject({ detail, position: expect.objectContaining(place) })
  })

  test('is rejected for a missing end', () => {
    expect(refusal('a: [1, 2')).toMatchObject({ kind: 'yaml', position: { line: 1 } })
  })
})

// Expected values: what `docker compose config` prints for these files.
describe('a block scalar that ends the file', () => {
  test.each([
    ['|', '\n  hello\n  two', 'hello\ntwo'],
    ['|', '\n  hello\n', 'hello\n'],
    ['|', '\n  hello\n  ', 'hello\n'],
    ['|', '\n  hello\n    ', 'hello\n  '],
    ['|', '\n  hello  ', 'hello  '],
    ['|', '\n  hello\r', 'hello\n'],
    ['|', '', ''],
    ['|', '\n  hello\n# comment', 'hello\n'],
    ['|', '\n  hello\n...', 'hello\n'],
    ['|+', '\n  hello', 'hello'],
    ['|+', '\n  hello\n    ', 'hello\n  '],
    ['|+', '\n  hello\n\n', 'hello\n\n'],
    ['|-', '\n  hello', 'hello'],
    ['>', '\n  hello\n  two', 'hello two'],
    ['>', '\n  hello\n  two\n', 'hello two\n'],
  ])('%s%j', (style, text, expected) => {
    expect(read(`x: ${style}${text}`)).toEqual([{ x: expected }])
  })

  test('keeps the line break where another key follows', () => {
    expect(read('x: |\n  hello\ny: z')).toEqual([{ x: 'hello\n', y: 'z' }])
  })
})

describe('a hostile document', () => {
  const levels = (count: number, uses: number) =>
    'x0: &x0 {k: v}\n' +
    Array.from({ length: count }, (_, level) => {
      const aliases = Array(uses).fill(`*x${level}`).join(', ')
      return `x${level + 1}: &x${level + 1} [${aliases}]\n`
    }).join('')

  test('is rejected if its aliases multiply', () => {
    expect(refusal(levels(30, 9))).toMatchObject({
      detail: 'the document has more than 300 000 nodes, including aliases',
    })
  })

  test('is rejected if it is nested too deeply', () => {
    expect(refusal(`a: ${'['.repeat(20_000)}`)).toMatchObject({ kind: 'yaml' })
    expect(refusal(`a: ${'['.repeat(600)}${']'.repeat(600)}`)).toMatchObject({ kind: 'yaml' })
  })

  test('is rejected above 1 MiB, counted in bytes', () => {
    expect(refusal(`# ${'é'.repeat(600_000)}`)).toMatchObject({
      detail: 'the file is larger than 1 MiB',
    })
  })

  test('is accepted if it uses one anchor 5 000 times', () => {
    const [value] = read(`x: &x {a: 1}\nl:\n${'  - *x\n'.repeat(5000)}`)
    expect((value as { l: unknown[] }).l).toHaveLength(5000)
  })

  test('reads keys that are named like inherited properties', () => {
    const [value] = read('constructor: 1\ntoString: 2')
    expect(Object.keys(value as object)).toEqual(['constructor', 'toString'])
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      expect(name in (value as object)).toBe(name === 'constructor' || name === 'toString')
    }
  })
})
