import { signal } from '@preact/signals'
import { LevelTracker } from './level-tracker.ts'
import { type Level, levelNames } from './log-levels.ts'
import type { LogLine, LogRing } from './log-ring.ts'
import type { LogSearch } from './log-search.ts'

export type LevelCounts = Readonly<Record<Level, number>>

const none: LevelCounts = { error: 0, warn: 0, info: 0, debug: 0 }

/** Lines after a page of older ones that may belong to its last lines. */
const joined = 200

/** Hides lines that do not match or have another level, and counts those of each level. */
export class LogFilter {
  readonly counts = signal<LevelCounts>(none)
  readonly #ring: LogRing
  readonly #search: LogSearch
  #tracker = new LevelTracker()
  #counts: Record<Level, number> = { ...none }
  #levels: ReadonlySet<Level> = new Set()
  #isOnlyMatches = false
  /** What the lines were hidden by. */
  #found: readonly number[] | undefined

  constructor(ring: LogRing, search: LogSearch) {
    this.#ring = ring
    this.#search = search
    ring.onDrop = (line) => this.#count(line, -1)
  }

  /** Gives a new line its level. Call it for each line before it is added. */
  take(line: LogLine): void {
    this.#tracker.assign(line)
    this.#count(line, 1)
  }

  /** Gives older lines their levels, and again those after them that may belong to them. */
  takeOlder(lines: LogLine[]): LogLine[] {
    const tracker = new LevelTracker()
    for (const line of lines) {
      tracker.assign(line)
      this.#count(line, 1)
    }
    const { first, end } = this.#ring
    for (let sequence = first; sequence < Math.min(end, first + joined); sequence += 1) {
      const line = this.#ring.get(sequence) as LogLine
      this.#count(line, -1)
      const before = line.level
      tracker.assign(line)
      line.level ??= before
      this.#count(line, 1)
    }
    return lines
  }

  empty(): void {
    this.#tracker = new LevelTracker()
    this.#counts = { ...none }
    this.counts.value = none
    this.#found = undefined
  }

  /**
   * Sets what is shown: lines of these levels, or of all without one. The line `anchor` keeps its
   * place.
   */
  set(levels: readonly Level[], isOnlyMatches: boolean, anchor?: number): void {
    this.#levels = new Set(levels)
    this.#isOnlyMatches = isOnlyMatches
    this.#apply(anchor)
  }

  /** Hides what came in and does not match. The line `anchor` keeps its place. */
  update(anchor?: number): void {
    const before = this.counts.peek()
    if (levelNames.some((level) => before[level] !== this.#counts[level])) {
      this.counts.value = { ...this.#counts }
    }
    if (this.#isOnlyMatches && this.#found !== this.#search.found.peek()) this.#apply(anchor)
  }

  #apply(anchor?: number): void {
    const { found, expression } = this.#search
    this.#found = found.peek()
    const matches = this.#isOnlyMatches && expression ? new Set(this.#found) : undefined
    const levels = this.#levels
    this.#ring.filter((line, sequence) => {
      if (matches && !matches.has(sequence)) return false
      if (levels.size === 0 || line.kind === 'note') return true
      return line.level !== undefined && levels.has(line.level)
    }, anchor)
  }

  #count({ level }: LogLine, by: 1 | -1): void {
    if (level) this.#counts[level] += by
  }
}
