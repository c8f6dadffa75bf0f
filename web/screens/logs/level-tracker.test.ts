import { expect, test } from 'vitest'
import { LevelTracker } from './level-tracker.ts'
import type { LogLine } from './log-ring.ts'

function levelsOf(...lines: [time: string, text: string, more?: Partial<LogLine>][]) {
  const tracker = new LevelTracker()
  return lines.map(([seconds, text, more]) => {
    const time = `2026-11-29T10:00:${seconds}Z`
    const line: LogLine = { time, text, source: '', kind: 'stderr', ...more }
    tracker.assign(line)
    return line.level
  })
}

test('a stack trace has the level of the line before it', () => {
  expect(
    levelsOf(
      ['00.000000001', 'ERROR it broke'],
      ['00.000000500', 'java.lang.IllegalStateException: no'],
      ['00.090000000', '    at com.example.Main'],
      ['07.000000000', '    ... 12 more'],
      ['07.500000000', 'GET / 200'],
      ['07.500000001', '   not a part of the trace'],
    ),
  ).toEqual(['error', 'error', 'error', 'error', undefined, undefined])
})

test('lines of another container or stream do not interrupt it, nor take its level', () => {
  const other: Partial<LogLine> = { origin: 'two' }
  expect(
    levelsOf(
      ['00.000', 'ERROR it broke'],
      ['00.000', 'ready', other],
      ['00.000', 'hello', { kind: 'stdout' }],
      ['00.001', '  at one'],
      ['00.001', 'Ended', { kind: 'note' }],
    ),
  ).toEqual(['error', undefined, undefined, 'error', undefined])
})
