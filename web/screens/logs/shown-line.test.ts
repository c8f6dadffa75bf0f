import { expect, test } from 'vitest'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { lineOfFile, rowsOf, shownPieces, shownText, wrapPieces } from './shown-line.ts'

setTexts(en)

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
  const more = (length: number) => shownPieces(line('x'.repeat(length)), { json: true })[0]
  expect(more(200_000)).toEqual({ text: 'Show all of it (196 KiB)', classes: 'log-more' })
  expect(more(262_144)).toEqual({ text: 'Show the whole line', classes: 'log-more' })
})

test('shows a note of the viewer unchanged', () => {
  expect(shownPieces({ ...line('web ended'), kind: 'note' }, { json: true })).toEqual([
    { text: 'web ended', classes: 'note' },
  ])
})

test('rows are counted by words where lines wrap', () => {
  const display = { json: true, wrap: true, times: false, columns: 12 }
  expect(rowsOf(line('waiting for the database to'), display)).toBe(3)
  expect(rowsOf(line('waiting for the database'), { ...display, wrap: false })).toBe(1)
})

test('the pieces of a line are divided where its rows end', () => {
  const pieces = [
    { text: 'waiting ', classes: 'bold' },
    { text: 'for the database to', classes: '' },
  ]
  expect(wrapPieces(pieces, 12)).toEqual([
    [
      { text: 'waiting ', classes: 'bold' },
      { text: 'for ', classes: '' },
    ],
    [{ text: 'the database ', classes: '' }],
    [{ text: 'to', classes: '' }],
  ])
  expect(wrapPieces([{ text: 'short', classes: '' }], 12)).toEqual([
    [{ text: 'short', classes: '' }],
  ])
  expect(wrapPieces([], 12)).toEqual([[]])
})

test('a line of a file has its time, its source and no escape sequences', () => {
  expect(lineOfFile(line('\u001b[31mno\u001b[0m'))).toBe('2026-11-23T10:00:00.5Z web no')
})
