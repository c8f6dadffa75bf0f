import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { earliest, justBefore, type LogPage, mergePage, olderThan } from './log-pages.ts'
import type { LogLine } from './log-ring.ts'

const line = (time: string, origin: string, text: string): LogLine => ({
  time,
  origin,
  text,
  source: origin,
  kind: 'stdout',
})

/** Returns what the service returns for one log: its last lines up to a time. */
const reply = (log: readonly LogLine[], size: number, until?: string) =>
  log.filter(({ time }) => until === undefined || time <= until).slice(-size)

/** Reads logs page by page, as the pages do. */
function readBack(logs: readonly LogLine[][], size: number): { lines: LogLine[]; pages: number } {
  let lines: LogLine[] = []
  let until: string | undefined
  for (let pages = 1; pages < 500; pages += 1) {
    const page: LogPage = mergePage(
      logs.map((log) => reply(log, size, until)),
      size,
    )
    const older = olderThan(page.lines, lines)
    lines = [...older, ...lines]
    if (page.isFirst) return { lines, pages }
    const oldest = earliest(lines) as string
    until = older.length > 0 ? oldest : justBefore(until as string)
  }
  throw new Error('the beginning was not reached')
}

test('pages of several logs have every line once, in the order of their times', () => {
  const log = (origin: string) =>
    fc
      .array(fc.record({ step: fc.nat(3), text: fc.constantFrom('tick', 'tock') }), {
        maxLength: 60,
      })
      .map((steps) => {
        let now = 100
        return steps.map(({ step, text }) => {
          now += step
          return line(`2026-11-29T10:00:00.000000${now}Z`, origin, text)
        })
      })
  fc.assert(
    fc.property(
      fc.tuple(log('a'), log('b'), log('c')),
      fc.integer({ min: 8, max: 30 }),
      (logs, size) => {
        // More lines of one time than a page has cannot be read further back.
        const times = logs.flat().map(({ time }) => time)
        fc.pre(times.every((time) => times.filter((one) => one === time).length < size))
        const { lines } = readBack(logs, size)
        for (const origin of ['a', 'b', 'c']) {
          const own = lines.filter((one) => one.origin === origin)
          expect(own).toEqual(logs.flat().filter((one) => one.origin === origin))
        }
        const order = lines.map(({ time }) => time)
        expect(order).toEqual(order.toSorted())
      },
    ),
  )
})

test('a quiet log waits until a busy one is read as far back', () => {
  const busy = [5, 6, 7, 8].map((second) => line(`10:00:0${second}`, 'busy', 'x'))
  const quiet = [1, 6].map((second) => line(`10:00:0${second}`, 'quiet', 'y'))
  const { lines, isFirst } = mergePage([reply(busy, 3), reply(quiet, 3)], 3)
  expect([lines.map(({ time }) => time), isFirst]).toEqual([
    ['10:00:06', '10:00:07', '10:00:08'],
    false,
  ])
})

test('says when there are no older lines', () => {
  expect(mergePage([[], []]).isFirst).toBe(true)
  expect(mergePage([[line('1', 'a', 'x')]], 1).isFirst).toBe(false)
  expect(mergePage([[line('1', 'a', 'x')]], 2).isFirst).toBe(true)
})

test('lines of the same time and text are counted', () => {
  const [one, two, three] = [1, 2, 3].map(() => line('10:00:01', 'a', 'tick')) as LogLine[]
  expect(olderThan([one, two, three] as LogLine[], [three] as LogLine[])).toHaveLength(2)
  expect(olderThan([one] as LogLine[], [])).toEqual([one])
})

test('the time before another one', () => {
  expect(justBefore('2026-11-29T10:00:00.000000100Z')).toBe('2026-11-29T10:00:00.000000099Z')
  expect(justBefore('2026-11-29T10:00:00.5Z')).toBe('2026-11-29T10:00:00.499999999Z')
  expect(justBefore('2026-11-29T00:00:00Z')).toBe('2026-11-28T23:59:59.999999999Z')
})
