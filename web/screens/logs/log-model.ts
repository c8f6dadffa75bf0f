import { batch, signal } from '@preact/signals'
import { asProblem } from '../../data/problem.ts'
import { followLogs, type LogFeed, type LogSource } from './log-feed.ts'
import type { LogPane } from './log-pane.ts'
import { type LogLine, LogRing } from './log-ring.ts'
import { LogSearch } from './log-search.ts'

/** Reads the lines that are there before a log is followed. */
export type ReadPast = () => Promise<readonly LogLine[]>

/** A log on a page: its lines, where they come from, and what is searched. */
export class LogModel {
  readonly ring = new LogRing()
  readonly search = new LogSearch(this.ring)
  readonly feed = signal<LogFeed | undefined>(undefined)
  /** Lines that were ever added; it moves with each painting. */
  readonly count = signal(0)
  /** The match that is shown. */
  readonly current = signal<number | undefined>(undefined)
  pane: LogPane | undefined
  #newest: string | undefined
  #run: string | undefined
  #opened = 0

  /** Follows other logs; what was shown goes. */
  open(sources: readonly LogSource[], run: string | undefined, past?: ReadPast): void {
    this.feed.peek()?.close()
    this.ring.clear()
    this.#newest = undefined
    this.#run = run
    batch(() => {
      this.count.value = 0
      this.current.value = undefined
      this.feed.value = sources.length > 0 && !past ? this.#follow(sources) : undefined
    })
    this.pane?.restart()
    this.#opened += 1
    if (past) void this.#begin(sources, past, this.#opened)
  }

  /** Adds the past lines, then follows from the last one. */
  async #begin(sources: readonly LogSource[], past: ReadPast, opened: number): Promise<void> {
    const lines = await past().catch((error: unknown) => {
      // The feed then reads them itself, and says what is wrong if it cannot either.
      console.info('The past lines could not be read', asProblem(error))
      return []
    })
    if (opened !== this.#opened) return
    for (const line of lines) this.#add(line)
    this.pane?.changed()
    this.feed.value = this.#follow(this.#since(sources))
  }

  /** Returns the sources from the newest line on. */
  #since(sources: readonly LogSource[]): LogSource[] {
    const later = this.#newest === undefined ? {} : { since: this.#newest }
    return sources.map((source) => ({ ...source, params: { ...source.params, ...later } }))
  }

  /** Goes on with a log that has ended when its container runs again. */
  resume(sources: readonly LogSource[], run: string | undefined): void {
    if (run === undefined || run === this.#run) return
    this.#run = run
    this.feed.value = this.#follow(this.#since(sources))
  }

  #follow(sources: readonly LogSource[]): LogFeed {
    return followLogs(sources, (lines) => {
      for (const line of lines) this.#add(line)
      this.pane?.changed()
    })
  }

  #add(line: LogLine): void {
    this.ring.add(line)
    if (line.kind !== 'note') this.#newest = line.time
  }

  /** Forgets the lines; new ones still come in. */
  clear(): void {
    this.ring.clear()
    this.count.value = 0
    this.current.value = undefined
    this.search.restart()
    this.pane?.restart()
  }

  /** Shows the next match, or the one before. */
  move(step: 1 | -1): void {
    const found = this.search.found.peek()
    if (found.length === 0) return
    const now = this.current.peek()
    const at = now === undefined ? -1 : found.indexOf(now)
    const next = found[(at + step + found.length) % found.length]
    this.#reveal(at === -1 ? this.#nearest(found) : next)
  }

  #nearest(found: readonly number[]): number | undefined {
    const from = this.pane?.firstInSight() ?? 0
    return found.find((sequence) => sequence >= from) ?? found.at(-1)
  }

  #reveal(sequence: number | undefined): void {
    if (sequence === undefined) return
    this.current.value = sequence
    this.pane?.reveal(sequence)
  }

  close(): void {
    this.#opened += 1
    this.feed.peek()?.close()
    this.search.close()
    this.pane?.close()
    this.pane = undefined
  }
}
