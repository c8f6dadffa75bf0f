import { expect, test } from 'vitest'
import { lineOfFile, rowsOf, shownPieces, shownText } from './shown-line.ts'

const line = (text: string) => ({
  time: '2026-11-23T10:00:00.5Z',
  source: 'web',
  kind: 'stdout' as const,
  text,
})

test('a JSON line is readable, or as it was written', () => {
  const json = line('{"level":"error","msg":"no disk"}')
  expect(shownText(json, { json: true })).toBe('ERROR no disk')
  expect(shownText(json, { json: false })).toBe(json.text)
})

test('a very long line is cut', () => {
  expect(shownText(line('x'.repeat(1_000_000)), { json: true }).length).toBeLessThan(9000)
})

test('shows a note of the viewer unchanged', () => {
  expect(shownPieces({ ...line('web ended'), kind: 'note' }, { json: true })).toEqual([
    { text: 'web ended', classes: 'note' },
  ])
})

test('rows are counted by columns, wide letters as two', () => {
  expect([rowsOf('', 20), rowsOf('x'.repeat(20), 20), rowsOf('x'.repeat(21), 20)]).toEqual([
    1, 1, 2,
  ])
  expect(rowsOf('漢'.repeat(11), 20)).toBe(2)
})

test('a line of a file has its time, its source and no escape sequences', () => {
  expect(lineOfFile(line('\u001b[31mno\u001b[0m'))).toBe('2026-11-23T10:00:00.5Z web no')
})
