import { expect, test } from 'vitest'
import { type LogLine, LogRing } from './log-ring.ts'
import { isPart, wholeLineAt } from './whole-text.ts'

/** As long as the service lets a line be, of letters that take 1, 3 and 4 bytes. */
const parts = ['x'.repeat(262_144), `${'開'.repeat(87_381)}`, '😀'.repeat(65_536)]

function ringOf(...lines: Partial<LogLine>[]): LogRing {
  const ring = new LogRing(100)
  for (const one of lines) {
    ring.add({ time: '1', text: '', source: '', kind: 'stdout', ...one })
  }
  return ring
}

test('a line of 256 KiB goes on in the next one', () => {
  expect(parts.map(isPart)).toEqual([true, true, true])
  expect([isPart('x'.repeat(262_140)), isPart('開'.repeat(80_000))]).toEqual([false, false])
})

test('a line is put together from any of its parts, between lines of others', () => {
  const [one = '', two = ''] = parts
  const ring = ringOf(
    { text: 'before' },
    { text: one },
    { text: 'of another', origin: 'b' },
    { text: two },
    { text: one, kind: 'stderr' },
    { text: 'end' },
    { text: 'after' },
    { text: 'later', time: '2' },
  )
  for (const sequence of [1, 3, 5]) {
    expect(wholeLineAt(ring, sequence)?.text === `${one}${two}end`).toBe(true)
  }
  expect([0, 6, 7].map((at) => wholeLineAt(ring, at)?.text)).toEqual(['before', 'after', 'later'])
  expect(wholeLineAt(ring, 8)).toBeUndefined()
})
