import { expect, test } from 'vitest'
import { parseJsonLine } from './json-line.ts'

const shown = (value: unknown) =>
  parseJsonLine(JSON.stringify(value))
    ?.map(({ text }) => text)
    .join('')

test('level and message come first, then the other fields without the time', () => {
  expect(
    shown({ time: '2026-11-23T10:00:00Z', user: 'mia', level: 'warning', msg: 'slow', ms: 12 }),
  ).toBe('WARN slow user=mia ms=12')
})

test('levels by number are named, unknown ones stay', () => {
  expect(shown({ level: 50, msg: 'x' })).toBe('ERROR x')
  expect(parseJsonLine('{"level":"audit","msg":"x"}')?.[0]).toEqual({
    text: 'AUDIT ',
    classes: 'level-info',
  })
  expect(shown({ level: 'constructor', msg: 'x' })).toBe('CONSTRUCTOR x')
})

test('objects stay JSON, and a stack trace stays on its line', () => {
  expect(shown({ msg: 'failed', error: { code: 1 }, stack: 'a\n  at b' })).toBe(
    'failed error={"code":1} stack=a ⏎ at b',
  )
})

test('what is no JSON object stays as it is', () => {
  for (const text of ['GET /', '[1]', '{not json}', '{"a":1} and more']) {
    expect(parseJsonLine(text), text).toBeUndefined()
  }
})
