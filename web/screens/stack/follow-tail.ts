import { batch, effect, type Signal } from '@preact/signals'
import { asProblem, type Problem } from '../../data/problem.ts'
import { lastStackLines } from '../../data/stack-log.ts'
import { followLogs, type LogFeed } from '../logs/log-feed.ts'
import type { LogLine } from '../logs/log-ring.ts'
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
    try {
      known = lastLines([], (await lastStackLines(name, shownMax)).map(asLine), shownMax)
      if (!isOver) show()
    } catch (error) {
      // The feed tries again where that can help.
      if (!isOver) problem.value = asProblem(error)
    }
    if (isOver) return
    const since = known.at(-1)?.time
    const params = { name, tail: shownMax, ...(since !== undefined && { since }) }
    feed = followLogs([{ path: '/ws/stacks/{name}/logs', params }], take)
    const { state, problem: ended } = feed
    stop = effect(() => {
      if (ended.value) problem.value = ended.value
      // It sends the past lines itself where they could not be read.
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

type Read = Awaited<ReturnType<typeof lastStackLines>>[number]

const asLine = ({ service, stream, time, line }: Read): LogLine => ({
  time,
  text: line,
  source: service,
  kind: stream,
})
