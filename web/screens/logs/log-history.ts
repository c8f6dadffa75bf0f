import { signal } from '@preact/signals'
import type { PastQuery } from '../../data/container-log.ts'
import { asProblem, isTemporary, type Problem } from '../../data/problem.ts'
import type { LogSource } from './log-feed.ts'
import { earliest, justBefore, type LogPage, mergePage, olderThan, pageSize } from './log-pages.ts'
import type { LogRange } from './log-range.ts'
import type { LogLine, LogRing } from './log-ring.ts'
import { readLines } from './read-lines.ts'

/** `begin`: there are no older lines. `full`: the page has no room for more. */
export type HistoryState = 'loading' | 'more' | 'begin' | 'full'

/** Lines at the beginning of the ring that can be out of order. */
const headLength = 500
/** Older lines are put into the ring up to here, so that there is room for new ones. */
const roomFor = 0.8

/** Reads the past of a log page by page, from its end. */
export class LogHistory {
  readonly state = signal<HistoryState>('loading')
  /** Why the last page could not be read. */
  readonly problem = signal<Problem | undefined>(undefined)
  range: LogRange = {}
  readonly #ring: LogRing
  #sources: readonly LogSource[] = []
  /** Counts what was opened, because a response may come after the next log was. */
  #opened = 0
  #until: string | undefined

  constructor(ring: LogRing) {
    this.#ring = ring
  }

  /** Reads the last lines of other logs. Returns undefined if that fails, or others are opened. */
  open(sources: readonly LogSource[], range: LogRange): Promise<LogLine[] | undefined> {
    this.#sources = sources
    this.range = range
    this.#opened += 1
    this.#until = range.until
    this.state.value = sources.length > 0 ? 'loading' : 'begin'
    this.problem.value = undefined
    return this.#next()
  }

  /** Reads the lines before the first one that is there, unless it reads already. */
  async older(): Promise<LogLine[] | undefined> {
    if (this.state.peek() !== 'more') return undefined
    if (this.#ring.size >= this.#ring.capacity * roomFor) {
      this.state.value = 'full'
      return undefined
    }
    this.state.value = 'loading'
    this.problem.value = undefined
    this.#until = earliest(this.#head()) ?? this.#until
    return this.#next()
  }

  /** Takes the lines as not read, after they were removed from the page. */
  restart(): void {
    if (this.state.peek() !== 'loading') this.state.value = 'more'
  }

  /** Says that the first lines had to leave the page for new ones. */
  dropped(): void {
    if (this.state.peek() !== 'loading') this.state.value = 'full'
  }

  close(): void {
    this.#opened += 1
  }

  #head(): LogLine[] {
    const { first, end } = this.#ring
    const length = Math.min(headLength, end - first)
    return Array.from({ length }, (_, index) => this.#ring.get(first + index) as LogLine)
  }

  async #next(): Promise<LogLine[] | undefined> {
    const opened = this.#opened
    try {
      for (;;) {
        const page = await this.#read()
        if (opened !== this.#opened) return undefined
        const lines = olderThan(page.lines, this.#head())
        const oldest = earliest(page.lines)
        if (lines.length > 0 || page.isFirst || oldest === undefined) {
          this.state.value = page.isFirst ? 'begin' : 'more'
          return lines
        }
        // A whole page of lines of one time, all of which are there.
        this.#until = justBefore(oldest)
      }
    } catch (error) {
      if (opened !== this.#opened) return undefined
      this.problem.value = asProblem(error)
      this.state.value = 'more'
      return undefined
    }
  }

  async #read(): Promise<LogPage> {
    const range = { since: this.range.since, until: this.#until, tail: pageSize }
    const several = this.#sources.length > 1
    return mergePage(
      await Promise.all(this.#sources.map((source) => readPage(source, range, several))),
    )
  }
}

/** Reads lines of one log. One of several that cannot be read for good has none. */
async function readPage(
  source: LogSource,
  range: PastQuery,
  isOneOfSeveral: boolean,
): Promise<LogLine[]> {
  try {
    return await readLines(source, range)
  } catch (error) {
    if (isOneOfSeveral && !isTemporary(asProblem(error))) return []
    throw error
  }
}
