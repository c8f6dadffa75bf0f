import { batch, signal } from '@preact/signals'
import { serviceTime } from '../../data/clock.ts'
import { followLogs, type LogFeed, type LogSource } from './log-feed.ts'
import { LogFilter } from './log-filter.ts'
import { LogHistory } from './log-history.ts'
import type { LogPane } from './log-pane.ts'
import { LogPosition } from './log-position.ts'
import type { LogRange } from './log-range.ts'
import { type LogLine, LogRing } from './log-ring.ts'
import { LogSearch } from './log-search.ts'

/** A log on a page: its lines, where they come from, and what is searched. */
export class LogModel {
  readonly ring = new LogRing()
  readonly search = new LogSearch(this.ring)
  readonly filter = new LogFilter(this.ring, this.search)
  readonly history = new LogHistory(this.ring)
  readonly feed = signal<LogFeed | undefined>(undefined)
  /** Lines that are there; it moves with each painting. */
  readonly count = signal(0)
  /** The match that is shown. */
  readonly current = signal<number | undefined>(undefined)
  pane: LogPane | undefined
  /** How far each source was read. */
  #positions: LogPosition[] = []
  #run: string | undefined
  /** Counts what was opened, because a response may come after the next log was. */
  #opened = 0

  constructor() {
    const { onDrop } = this.ring
    this.ring.onDrop = (line) => {
      onDrop(line)
      this.history.dropped()
    }
  }

  /** Shows other logs, or another part of them; what was shown goes. */
  async open(
    sources: readonly LogSource[],
    run: string | undefined,
    range: LogRange,
  ): Promise<void> {
    this.feed.peek()?.close()
    this.#empty()
    this.#run = run
    this.feed.value = undefined
    this.#opened += 1
    const opened = this.#opened
    const lines = await this.history.open(sources, range)
    if (opened !== this.#opened || sources.length === 0) return
    for (const line of lines ?? []) this.#add(line)
    this.pane?.changed()
    // If they cannot be read, the reader tries again, and sees meanwhile what is new.
    const now = lines ? undefined : new Date(serviceTime()).toISOString()
    const position = new LogPosition(lines, now)
    this.#positions = sources.map(() => position.copy())
    if (range.until === undefined) this.feed.value = this.#follow(sources)
  }

  /** Puts the lines before the first one in front of it. */
  async loadOlder(): Promise<void> {
    const lines = await this.history.older()
    if (!lines || lines.length === 0) return
    this.ring.prepend(this.filter.takeOlder(lines))
    this.pane?.prepended()
  }

  /** Goes on with a log that has ended when its container runs again. */
  resume(sources: readonly LogSource[], run: string | undefined): void {
    if (run === undefined || run === this.#run || this.history.range.until !== undefined) return
    this.#run = run
    this.feed.value = this.#follow(sources)
  }

  #follow(sources: readonly LogSource[]): LogFeed {
    const followed = sources.map((source, index) => ({
      source,
      position: this.#positions[index] ?? new LogPosition(),
    }))
    return followLogs(followed, (lines) => {
      for (const line of lines) this.#add(line)
      this.pane?.changed()
    })
  }

  #add(line: LogLine): void {
    this.filter.take(line)
    this.ring.add(line)
  }

  /** Forgets the lines; new ones still come in. */
  clear(): void {
    this.#empty()
    this.history.restart()
  }

  #empty(): void {
    this.ring.clear()
    this.filter.empty()
    batch(() => {
      this.count.value = 0
      this.current.value = undefined
    })
    this.search.restart()
    this.pane?.restart()
  }

  /** Called before each painting: searches and hides what came in. */
  update(anchor?: number): void {
    this.search.update()
    this.filter.update(anchor)
    this.count.value = this.ring.size
  }

  /** Shows the next match, or the one before. */
  move(step: 1 | -1): void {
    const found = this.search.found.peek()
    if (found.length === 0) return
    const now = this.current.peek()
    const at = now === undefined ? -1 : found.indexOf(now)
    const next = found[(at + step + found.length) % found.length]
    this.reveal(at === -1 ? this.#nearest(found) : next)
  }

  #nearest(found: readonly number[]): number | undefined {
    const from = this.pane?.firstInSight() ?? 0
    return found.find((sequence) => sequence >= from) ?? found.at(-1)
  }

  /** Shows a line as the one that is looked at. */
  reveal(sequence: number | undefined): void {
    if (sequence === undefined) return
    this.current.value = sequence
    this.pane?.reveal(sequence)
  }

  close(): void {
    this.#opened += 1
    this.history.close()
    this.feed.peek()?.close()
    this.search.close()
    this.pane?.close()
    this.pane = undefined
  }
}
