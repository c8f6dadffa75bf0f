import { expect, test } from 'vitest'
import { piecesOf, plainText } from './ansi.ts'

const esc = '\u001b['

test('a line without escape sequences is one piece', () => {
  expect(piecesOf('GET /\t200')).toEqual([{ text: 'GET /    200', classes: '' }])
})

test('colours begin and end where the line says', () => {
  expect(piecesOf(`${esc}1;31mERROR${esc}0m disk ${esc}92mok${esc}39m.`)).toEqual([
    { text: 'ERROR', classes: 'bold fg-1' },
    { text: ' disk ', classes: '' },
    { text: 'ok', classes: 'fg-10' },
    { text: '.', classes: '' },
  ])
})

test('colours of the table and of all colours are kept, backgrounds by their class', () => {
  expect(piecesOf(`${esc}38;5;196ma${esc}38;2;1;2;3mb${esc}44mc${esc}49md`)).toEqual([
    { text: 'a', classes: '', color: 'rgb(255 0 0)' },
    { text: 'b', classes: '', color: 'rgb(1 2 3)' },
    { text: 'c', classes: 'bg-4', color: 'rgb(1 2 3)' },
    { text: 'd', classes: '', color: 'rgb(1 2 3)' },
  ])
})

test('an empty sequence resets', () => {
  expect(piecesOf(`${esc}31ma${esc}mb`).map(({ classes }) => classes)).toEqual(['fg-1', ''])
})

test('what a terminal would not show is left out', () => {
  expect(plainText(`\u001b]0;title\u0007a${esc}2Kb\u0000`)).toBe('ab')
  expect(plainText('10 %\r50 %\r100 %\r')).toBe('100 %')
})
