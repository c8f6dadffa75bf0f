import { expect, test } from 'vitest'
import { hasVariable, readEnvironment, replaceVariables } from './environment.ts'

test.each([
  ['A=1', ['A', '1']],
  ['  A = 1 # why', ['A', '1']],
  ['A=1#2', ['A', '1#2']],
  ['A="one two"', ['A', 'one two']],
  ["'A = 1'", ['A', '1']],
  ["- A: 'one'", ['A', 'one']],
  ['- "A=one"', ['A', 'one']],
  ['A=b=c:d', ['A', 'b=c:d']],
  ['A=', ['A', '']],
])('%s is one variable', (line, variable) => {
  expect(readEnvironment(`# first\n// second\n\n${line}\n`)).toEqual({
    variables: [variable],
    badLine: null,
  })
})

test.each([
  ['A=1\n\nno sign\n', 3],
  ['two words=1', 1],
  ['=1', 1],
])('names the line of %j that is no variable', (text, badLine) => {
  expect(readEnvironment(text).badLine).toBe(badLine)
})

test('replaces variables, and names those without a known value', () => {
  const values = new Map([
    ['ZONE', '$& UTC'],
    ['KEY', null],
  ])
  expect(replaceVariables('[[ZONE]] [[KEY]] [[GONE]] [[KEY]] [[a, b]]', values)).toEqual({
    text: '$& UTC [[KEY]] [[GONE]] [[KEY]] [[a, b]]',
    unknown: ['KEY', 'GONE'],
  })
  expect([hasVariable('x: [[ZONE]]'), hasVariable('x: [[ a ]]'), hasVariable('[[ZONE]]')]).toEqual([
    true,
    false,
    true,
  ])
})
