import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { diagnosticsOf, offsetOf } from './positions.ts'

const text = Text.of(['services:', '  web:', '    imagee: nginx', ''])
const problem = (line: number, column: number) => ({
  line,
  column,
  severity: 'error' as const,
  message: 'wrong',
})

test('marks the word at the position', () => {
  expect(diagnosticsOf(text, [problem(3, 5)])).toMatchObject([{ from: 21, to: 27 }])
})

test('a position that the text no longer has is moved into it', () => {
  expect(offsetOf(text, 9, 9)).toBe(text.length)
  expect(offsetOf(text, 2, 99)).toBe(16)
  expect(offsetOf(text, 0, 0)).toBe(0)
  expect(diagnosticsOf(text, [problem(99, 1), problem(1, 1)]).map(({ from }) => from)).toEqual([
    0,
    text.length,
  ])
})

test('without a word the whole line is marked', () => {
  expect(diagnosticsOf(text, [problem(2, 7)])).toMatchObject([{ from: 12, to: 16 }])
})
