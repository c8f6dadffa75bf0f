import { batch, effect, type Signal } from '@preact/signals'
import { serviceTime } from '../../data/clock.ts'
import { asProblem, type Problem } from '../../data/problem.ts'
import { followLogs, type LogFeed } from '../logs/log-feed.ts'
import { LogPosition } from '../logs/log-position.ts'
import type { LogLine } from '../logs/log-ring.ts'
import { readLines } from '../logs/read-lines.ts'
import { lastLines } from './last-lines.ts'

const shownMax = 10
/** New lines are shown at most this often. Milliseconds. */
const pace = 250

/**
 * Reads the last lines of a stack, which tells whether there are any, and follows its log from
 * there. Returns a function that stops.
 */
export function followTail(
  name: string,
  lines: Signal<readonly LogLine[] | undefined>,
  problem: Signal<Problem | undefined>,
): () => void {
  const source = { path: '/ws/stacks/{name}/logs', params: { name } } as const
  let known: readonly LogLine[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let feed: LogFeed | undefined
  let stop: (() => void) | undefined
  let isOver = false
  const show = () => {
    timer = undefined
    batch(() => {
      lines.value = known
      problem.value = undefined
    })
  }
  const take = (more: readonly LogLine[]) => {
    known = lastLines(known, more, shownMax)
    timer ??= setTimeout(show, pace)
  }
  const begin = async () => {
    let begins: string | undefined
    try {
      known = lastLines([], await readLines(source, { tail: shownMax }), shownMax)
      if (!isOver) show()
    } catch (error) {
      // The feed tries again where that can help, and begins now.
      if (!isOver) problem.value = asProblem(error)
      begins = new Date(serviceTime()).toISOString()
    }
    if (isOver) return
    feed = followLogs([{ source, position: new LogPosition(known, begins) }], take)
    const { state, problem: ended } = feed
    stop = effect(() => {
      if (ended.value) problem.value = ended.value
      // Where the past lines could not be read, new ones are shown.
      else if (state.value === 'live' && lines.peek() === undefined)
        timer ??= setTimeout(show, 2000)
    })
  }
  void begin()
  return () => {
    isOver = true
    clearTimeout(timer)
    stop?.()
    feed?.close()
  }
}
