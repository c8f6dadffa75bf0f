import { computed, type ReadonlySignal } from '@preact/signals'
import { serviceTime } from '../../data/clock.ts'
import { type LogPath, logProblem } from '../../data/container-log.ts'
import type { Feed } from '../../data/feed.ts'
import { openFeed } from '../../data/feeds.ts'
import type { Params } from '../../data/paths.ts'
import type { Problem } from '../../data/problem.ts'
import { t } from '../../text/text.ts'
import { type LogMessage, linesOf, originOf } from './log-message.ts'
import { byTime } from './log-pages.ts'
import type { LogPosition } from './log-position.ts'
import type { LogLine } from './log-ring.ts'

/** A log to follow. */
export interface LogSource {
  path: LogPath
  params: Params
  /** Shown before each line of a container, or of a service without `within`. */
  name?: string
}

export interface LogFeed {
  state: ReadonlySignal<'connecting' | 'live' | 'reconnecting' | 'ended'>
  problem: ReadonlySignal<Problem | undefined>
  /** Why a log is not connected, while it tries again. */
  cut: ReadonlySignal<Problem | undefined>
  /** Tries again at once. */
  retry(): void
  close(): void
}

/** Lines of several logs are put into the order of their times over this long. */
const mergeTime = 250

/** A log, and how far it was read. */
interface Followed {
  source: LogSource
  position: LogPosition
}

/** Follows logs from where they were read, and adds their lines in the order of their times. */
export function followLogs(
  sources: readonly Followed[],
  add: (lines: readonly LogLine[]) => void,
): LogFeed {
  const waiting: LogLine[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    const lines = waiting.splice(0)
    add(lines.sort(byTime))
  }
  const take = (lines: readonly LogLine[]) => {
    if (sources.length === 1) return add(lines)
    for (const line of lines) waiting.push(line)
    timer ??= setTimeout(flush, mergeTime)
  }
  const feeds = sources.map((followed) => followOne(followed, take))
  const failed = computed(() => feeds.map(({ problem }) => problem.value).find(Boolean))
  return {
    state: computed(() => together(feeds)),
    problem: failed,
    cut: computed(() => feeds.map(({ cut }) => cut.value).find(Boolean)),
    retry() {
      for (const feed of feeds) feed.retry()
    },
    close() {
      clearTimeout(timer)
      for (const feed of feeds) feed.close()
    },
  }
}

function together(feeds: readonly Feed[]): 'connecting' | 'live' | 'reconnecting' | 'ended' {
  const states = feeds.map(({ state }) => state.value)
  const first = (['reconnecting', 'connecting', 'live'] as const).find((one) =>
    states.includes(one),
  )
  return first ?? 'ended'
}

function followOne({ source, position }: Followed, take: (lines: LogLine[]) => void): Feed {
  const { path, params, name } = source
  position.resume()
  /** Services with a log that cannot be read, which is sent for each container and connection. */
  const reportedServices = new Set<string>()
  // Read for each connection, so that the feed continues where it was cut.
  const current = {
    ...params,
    times: 'true',
    get since() {
      return position.since()
    },
    get tail() {
      return 10_000
    },
  }
  const onMessage = (data: string | ArrayBuffer) => {
    const message = JSON.parse(data as string) as LogMessage
    if ('error' in message) {
      if (reportedServices.has(message.service)) return
      reportedServices.add(message.service)
    }
    const lines = linesOf(message, name)
    if (!('data' in message)) return take(lines)
    const { lines: later, hasGap } = position.accept(originOf(message), lines)
    const [next] = later
    if (next && hasGap) take([{ ...next, text: t.logs.missing, kind: 'note' }])
    if (next) take(later)
  }
  const explain = async () => {
    const why = await logProblem(path, params)
    // Other logs on the page continue.
    if (why && name) {
      const text = why.error
      take([{ time: new Date(serviceTime()).toISOString(), text, source: name, kind: 'note' }])
    }
    return why
  }
  return openFeed(path, current, onMessage, { onReconnect: () => position.resume(), explain })
}
