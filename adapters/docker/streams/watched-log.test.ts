import { expect, onTestFinished, test } from 'vitest'
import { internalError } from '../../../functions/core/errors.ts'
import type { LogLine } from '../../../functions/core/records/container.ts'
import type { LogBatch, LogStart } from './log-place.ts'
import { type FollowedLog, watchedLog } from './watched-log.ts'

const times = { silence: 30, most: 60, grace: 30, search: 30, whole: 30 }
const stampOf = (second: number) => new Date(second * 1000).toISOString().replace('Z', '000000Z')
const line = (second: number, stream: LogLine['stream'] = 'stdout'): LogLine => ({
  stream,
  time: stampOf(second),
  line: `line ${second}`,
})
const gap = 'lines are missing here'

/** The log of a container: what is in its files, and a stream that may fall silent. */
function containerLog() {
  const written: LogLine[] = []
  const starts: LogStart[] = []
  let push: (batch: LogBatch | undefined) => void = () => {}
  let failure: Error | undefined
  let hasEnd = true
  let isSlow = false
  const log: FollowedLog = {
    async *open(start, signal) {
      starts.push(start)
      const queue: (LogBatch | undefined)[] = []
      let wake = () => {}
      push = (batch) => {
        queue.push(batch)
        wake()
      }
      const { tail, since = '' } = start
      const past = tail === 'all' ? written.filter(({ time }) => time >= since) : []
      if (past.length > 0) yield { lines: past, latest: past.at(-1)?.time ?? '' }
      for (;;) {
        signal.throwIfAborted()
        if (queue.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
          continue
        }
        const batch = queue.shift()
        if (!batch) return
        yield batch
      }
    },
    async lastStamp(signal, since) {
      if (failure) throw failure
      if (!hasEnd && (since === undefined || isSlow))
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      return written.at(-1)?.time ?? ''
    },
  }
  return {
    log,
    starts,
    written,
    fail: (error: Error | undefined) => {
      failure = error
    },
    /** The Engine looks for the end of the log beyond its file, without an end. */
    loseEnd: () => {
      hasEnd = false
    },
    /** It does not look through the log in time either. */
    slowDown: () => {
      hasEnd = false
      isSlow = true
    },
    /** Sends lines to the reader; they are in the file too, unless they are sent again. */
    send(...lines: LogLine[]) {
      push({ lines, latest: lines.at(-1)?.time ?? '' })
    },
    write(...lines: LogLine[]) {
      written.push(...lines)
    },
    end: () => push(undefined),
  }
}

/** Reads a log into a list, until the test ends. */
function read(log: FollowedLog, start: LogStart = { tail: 10 }) {
  const stop = new AbortController()
  const lines: string[] = []
  const reading = (async () => {
    for await (const some of watchedLog(log, start, stop.signal, times)) {
      lines.push(...some.map((one) => one.line))
    }
  })()
  reading.catch(() => {})
  onTestFinished(() => stop.abort(new Error('the test is over')))
  return { lines, reading, stop }
}

const turn = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('a log that is silent while the container writes is opened again at its last line', async () => {
  const { log, send, write, starts } = containerLog()
  const { lines } = read(log)
  await turn()
  write(line(1), line(2))
  send(line(1), line(2))
  await turn()
  write(line(3), line(4))
  await expect.poll(() => lines).toEqual(['line 1', 'line 2', 'line 3', 'line 4'])
  expect(starts).toEqual([{ tail: 10 }, { tail: 'all', since: stampOf(1) }])
  write(line(5))
  send(line(5))
  await expect.poll(() => lines.at(-1)).toBe('line 5')
  expect(lines).toHaveLength(5)
})

test('says in one line that lines are missing, if the last one that was read is gone', async () => {
  const { log, send, write, written } = containerLog()
  const { lines } = read(log)
  await turn()
  write(line(1))
  send(line(1))
  await turn()
  written.splice(0)
  write(line(7), line(8))
  await expect.poll(() => lines).toHaveLength(4)
  expect(lines).toEqual(['line 1', expect.stringContaining(gap), 'line 7', 'line 8'])
})

test('a log whose end the Engine no longer finds is looked through', async () => {
  const { log, send, write, written, loseEnd } = containerLog()
  const { lines } = read(log)
  await turn()
  write(line(1))
  send(line(1))
  await turn()
  written.splice(0)
  loseEnd()
  write(line(7))
  await expect.poll(() => lines).toEqual(['line 1', expect.stringContaining(gap), 'line 7'])
})

test('a container that writes nothing is left alone, and so is an unfinished line', async () => {
  const { log, send, write, starts } = containerLog()
  const { lines } = read(log)
  await turn()
  write(line(1), line(2))
  // The second one has no end yet: its stamp arrived, and no line.
  send(line(1))
  send({ ...line(1), time: stampOf(1) })
  await turn(200)
  expect(starts.length).toBeGreaterThan(0)
  expect(lines.filter((one) => one === 'line 1').length).toBeGreaterThan(0)
  expect(lines.some((one) => one.includes(gap))).toBe(false)
})

test('a log of which nothing has arrived is opened again once the container has written', async () => {
  const { log, write, starts } = containerLog()
  const { lines } = read(log, { tail: 0 })
  write(line(1))
  await turn(150)
  expect([starts.length, lines]).toEqual([1, []])
  write(line(2))
  await expect.poll(() => lines).toEqual(['line 2'])
})

test('an empty log that falls silent is read from its first line', async () => {
  const { log, write } = containerLog()
  const { lines } = read(log, { tail: 1 })
  await turn(60)
  write(line(1), line(2))
  await expect.poll(() => lines).toEqual(['line 1', 'line 2'])
})

test('lines that an Engine sends again after a rotation are dropped', async () => {
  const { log, send, write } = containerLog()
  const { lines } = read(log)
  await turn()
  const first = [1, 2, 3, 4].map((second) => line(second))
  write(...first, line(5), line(2, 'stderr'))
  send(...first, line(2, 'stderr'))
  send(...first, line(5))
  await expect.poll(() => lines.at(-1)).toBe('line 5')
  expect(lines).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 2', 'line 5'])
})

test('a line that is sent twice is dropped, but not equal parts of one long line', async () => {
  const { log, send, write } = containerLog()
  const { lines } = read(log)
  await turn()
  const part = { ...line(2), line: 'x'.repeat(260_000) }
  write(line(1), part, line(3))
  send(line(1))
  send(line(1), part, part, line(3))
  await expect.poll(() => lines.at(-1)).toBe('line 3')
  expect(lines.map((one) => one.length)).toEqual([6, 260_000, 260_000, 6])
})

test('a clock that is set back loses no lines', async () => {
  const { log, send, write } = containerLog()
  const { lines } = read(log)
  await turn()
  write(line(100), line(40))
  send(line(100))
  send(line(40))
  await expect.poll(() => lines).toEqual(['line 100', 'line 40'])
  write(line(41))
  send(line(41))
  await expect.poll(() => lines.at(-1)).toBe('line 41')
})

test('ends with the log, and with the signal; a look that fails changes nothing', async () => {
  const { log, send, write, end, fail } = containerLog()
  const { lines, reading } = read(log)
  await turn()
  fail(internalError('no response'))
  write(line(1), line(2))
  send(line(1))
  await turn(150)
  expect(lines).toEqual(['line 1'])
  end()
  await reading

  const other = containerLog()
  const second = read(other.log)
  await turn()
  second.stop.abort(new Error('cancelled'))
  await expect(second.reading).rejects.toThrow('cancelled')
})

test('a log that cannot be looked through in time is followed on', async () => {
  const { log, send, write, starts, slowDown } = containerLog()
  const { lines } = read(log)
  await turn()
  write(line(1))
  send(line(1))
  slowDown()
  await turn(3 * times.silence)
  send(line(2))
  await expect.poll(() => lines).toEqual(['line 1', 'line 2'])
  expect(starts).toHaveLength(1)
})
