import { expect, test } from 'vitest'
import type { Problem } from './problem.ts'
import { parseYaml } from './yaml.ts'

function linesOf(text: string): string[] {
  const problems: Problem[] = []
  parseYaml(text, 'compose.yaml', (problem) => problems.push(problem))
  return problems.map(({ detail, position }) => `${position?.line}:${position?.column} ${detail}`)
}

const tab = 'a tab is not allowed as indentation: use spaces'
const part = (own: number, use: number) =>
  `an indentation of ${own} spaces makes this part of the value above: use ${use}`

test.each([
  ['tabs', 'services:\n\tweb:\n\t\timage: x\n', [`2:1 ${tab}`, `3:1 ${tab}`]],
  ['a tab among spaces', 'services:\n  web:\n\timage: x\n    ports: []\n', [`3:1 ${tab}`]],
  [
    'a line one space to the left',
    'services:\n  web:\n    image: x\n   ports: []\n',
    ['4:4 an indentation of 3 spaces fits none of the lines above: use 0, 2 or 4'],
  ],
  [
    'a service to the right of the others',
    'services:\n web:\n   image: x\n  db:\n   image: y\n',
    ['4:3 an indentation of 2 spaces fits none of the lines above: use 0, 1 or 3'],
  ],
  [
    'a list item to the left of the others',
    'a:\n  - b\n - c\n',
    ['3:2 an indentation of 1 space fits none of the lines above: use 0 or 2'],
  ],
  [
    'a line to the right of a value',
    'services:\n  web:\n    image: x\n      ports: []\n',
    [`4:7 ${part(6, 4)}`],
  ],
  [
    'such a line behind a comment',
    'a:\n  b: x\n\n  # c\n    d: []\n',
    ['5:5 an indentation of 4 spaces fits none of the lines above: use 0 or 2'],
  ],
  ['a list below a value', 'a:\n  b: x\n    d:\n      - y\n', [`3:5 ${part(4, 2)}`]],
  [
    'a key without a colon',
    'services:\n  web:\n    image x\n    ports: []\n',
    ['3:5 a key needs a colon and a space behind it'],
  ],
  [
    'a line behind an empty first line',
    '\n  a:\n    b: c\n   d: e\n',
    ['4:4 an indentation of 3 spaces fits none of the lines above: use 2 or 4'],
  ],
  ['two colons', 'a: b: c\n', ['1:4 a value with a colon and a space in it needs quotes']],
  ['an open quote', 'a: "x\nb: c\n', ['3:1 a text that begins with " has no " at its end']],
  ['an open list', 'a: [1, 2\nb: c\n', ['2:1 a list has no ] at its end']],
])('says at the line to mend what is wrong: %s', (_, text, expected) => {
  expect(linesOf(text)).toEqual(expected)
})

test('has no words of the parser for mistakes of one character in a compose file', () => {
  const good = `services:
  web:
    image: nginx:1
    ports:
      - "80:80"
    environment: {A: b, C: "d"}
    command: [a, 'b']
volumes:
  data: {}
`
  for (let at = 0; at < good.length; at += 1) {
    for (const text of [
      good.slice(0, at) + good.slice(at + 1),
      `${good.slice(0, at)} ${good.slice(at)}`,
      `${good.slice(0, at)}\t${good.slice(at)}`,
      `${good.slice(0, at)}\n${good.slice(at)}`,
    ]) {
      const lines = linesOf(text)
      expect(lines.filter((line) => /implicit|compact|flow|scalar|token/i.test(line))).toEqual([])
    }
  }
})

test('says of a file with very many mistakes only the first ones', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ' '.repeat(8 - (at % 7)) + 'a: b').join(
    '\n',
  )
  const lines = linesOf(`x:\n${many}\n`)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.length).toBeLessThanOrEqual(200)
})
