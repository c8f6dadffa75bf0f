import { expect, test } from 'vitest'
import { readVariableLines } from './variable-lines.ts'

test.each<[text: string, variables: object, wrongLine: number | undefined]>([
  ['', {}, undefined],
  ['A=1\r\nB=two words \n', { A: '1', B: 'two words ' }, undefined],
  ['# c\n\nA="1" # c\n', { A: '"1" # c' }, undefined],
  ['A=\nB=x=y\nconstructor=1', { A: '', B: 'x=y', constructor: '1' }, undefined],
  ['-OLD\nA=1', { OLD: null, A: '1' }, undefined],
  ['A=1\nB\n9C=1', { A: '1' }, 2],
])('%j', (text, variables, wrongLine) => {
  expect(readVariableLines(text)).toEqual({ variables, wrongLine })
})
