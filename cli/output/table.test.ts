import { expect, test } from 'vitest'
import { tableLines } from './table.ts'
import { cutMiddle, widthOf } from './text.ts'

interface Row {
  name: string
  state: string
  links: string[]
}

const rows: Row[] = [
  { name: 'web', state: 'running', links: ['http://nas.lan:8081', 'https://a.example'] },
  { name: 'db', state: 'exited', links: [] },
]
const columns = [
  { head: 'NAME', text: ({ name }: Row) => name },
  { head: 'STATE', text: ({ state }: Row) => state, fold: 1 },
  { head: 'LINKS', text: ({ links }: Row) => links.join(' '), fold: 2 },
]
const plain = (_: string, text: string) => text
const table = (room?: number) => tableLines(rows, columns, plain, room)

test('has a line per row where it fits, and without a limit', () => {
  const lines = [
    'NAME  STATE    LINKS',
    'web   running  http://nas.lan:8081 https://a.example',
    'db    exited   -',
  ]
  expect(table()).toEqual(lines)
  expect(table(52)).toEqual(lines)
  expect(table(51)).not.toEqual(lines)
})

test('moves columns that do not fit below their rows, and keeps their texts whole', () => {
  expect(table(40)).toEqual([
    'NAME  STATE',
    'web   running',
    '  links  http://nas.lan:8081 https://a.example',
    'db    exited',
  ])
  expect(table(10)).toEqual([
    'NAME',
    'web',
    '  state  running',
    '  links  http://nas.lan:8081 https://a.example',
    'db',
    '  state  exited',
  ])
})

test('cuts the middle of the longest texts until the table fits', () => {
  const texts = [
    {
      id: '01977d3c-7a00-7000-8000-0d1f6a2b3c4d',
      name: 'shop',
      image: 'registry.example.org/team/app:1',
    },
    { id: '01977d3c-7a00-7000-8000-0d1f6a2b3c4e', name: '漢字漢字漢字漢字漢字漢字', image: 'a' },
  ]
  const three = (['id', 'name', 'image'] as const).map((key) => ({
    head: key.toUpperCase(),
    text: (row: (typeof texts)[number]) => row[key],
  }))
  for (const room of [30, 45, 60, 80, 120]) {
    const lines = tableLines(texts, three, plain, room)
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(room)
    const starts = lines.map((line) => line.slice(0, 4))
    expect(starts).toEqual(['ID  ', '0197', '0197'])
  }
  expect(tableLines(texts, three, plain, 60)[1]).toMatch(/^01977d.*…/)
  expect(Math.max(...tableLines(texts, three, plain, 5).map(widthOf))).toBeLessThan(40)
  expect(tableLines(texts, three, plain).join('\n')).not.toContain('…')
})

test('a style follows from the whole text of a cell', () => {
  const style = (text: string) => (text === 'a long failed state' ? ('red' as const) : undefined)
  const styled = [{ head: 'S', text: () => 'a long failed state', style }]
  const lines = tableLines([{}], styled, (name, text) => `<${name}>${text}`, 10)
  expect(lines).toEqual(['<bold>S', '<red>a lon…tate'])
})

test('escapes texts, also below a row', () => {
  const hostile = [{ name: 'a', state: 'b', links: ['\u001b[2J'] }]
  const lines = tableLines(hostile, columns, plain, 12)
  expect(lines.join('\n')).not.toContain('\u001b')
  expect(lines.join('\n')).toContain('\\u001b[2J')
})

test('a table without rows has its headers', () => {
  expect(tableLines([], columns, plain, 5)).toHaveLength(1)
})

test('cuts the middle of a text', () => {
  expect(cutMiddle('abcdef', 6)).toBe('abcdef')
  expect(cutMiddle('abcdef', 5)).toBe('ab…ef')
  expect(cutMiddle('abcdef', 4)).toBe('ab…f')
  expect(widthOf(cutMiddle('漢字漢字漢字', 7))).toBeLessThanOrEqual(7)
})
