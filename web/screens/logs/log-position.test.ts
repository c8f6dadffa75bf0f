import { expect, test } from 'vitest'
import { LogPosition } from './log-position.ts'
import type { LogLine } from './log-ring.ts'

const line = (second: number, origin: string): LogLine => ({
  time: `2026-11-29T10:00:0${second}.5Z`,
  text: `${second}`,
  source: '',
  origin,
  kind: 'stdout',
})
const accepted = (position: LogPosition, origin: string, ...seconds: number[]) =>
  position.accept(
    origin,
    seconds.map((second) => line(second, origin)),
  ).lines.length

test('a feed begins before the newest line, and lines that are there are left out', () => {
  const position = new LogPosition([line(3, 'a'), line(4, 'b'), line(5, 'a')])
  expect(position.since()).toBe('2026-11-29T10:00:03.500Z')
  expect(accepted(position, 'a', 4, 5, 6)).toBe(1)
  expect(accepted(position, 'b', 4, 5)).toBe(1)
})

test('lines of others that are earlier than what is there wait for the page before', () => {
  const position = new LogPosition([line(4, 'a'), line(5, 'a')])
  expect(accepted(position, 'c', 3, 4, 5)).toBe(1)
})

test('a new connection leaves out what the one before sent', () => {
  const position = new LogPosition([line(1, 'a')])
  expect(accepted(position, 'a', 2, 3)).toBe(2)
  position.resume()
  expect(position.since()).toBe('2026-11-29T10:00:01.500Z')
  expect(accepted(position, 'a', 2, 3, 4)).toBe(1)
  expect(accepted(position.copy(), 'a', 4, 5)).toBe(1)
})

test('without a line a feed begins where it likes', () => {
  const position = new LogPosition()
  expect(position.since()).toBeUndefined()
  expect(accepted(position, 'a', 1)).toBe(1)
  expect(new LogPosition([], '2026-11-29T10:00:05Z').since()).toBe('2026-11-29T10:00:03.000Z')
})

test('the parts of a line have one time, and those that came before a cut are left out', () => {
  const position = new LogPosition([line(1, 'a')])
  expect(accepted(position, 'a', 2, 2, 2)).toBe(3)
  position.resume()
  expect(accepted(position, 'a', 1, 2, 2)).toBe(0)
  expect(accepted(position, 'a', 2, 2, 2, 3)).toBe(3)
  position.resume()
  expect(accepted(position.copy(), 'a', 2, 3, 3)).toBe(1)
})

test('a new connection that does not begin with a line that is there has a gap', () => {
  const position = new LogPosition([line(1, 'old'), line(4, 'a'), line(5, 'b')])
  const hasGap = (origin: string, second: number) =>
    position.accept(origin, [line(second, origin)]).hasGap
  expect(hasGap('a', 4)).toBe(false)
  expect(hasGap('a', 6)).toBe(false)
  position.resume()
  // More was written than is sent again, or the log was rotated.
  expect(hasGap('a', 8)).toBe(true)
  expect(hasGap('a', 9)).toBe(false)
  // Its last line is older than what is sent again, and others are new.
  expect(hasGap('old', 8)).toBe(false)
  expect(hasGap('new', 8)).toBe(false)
})
