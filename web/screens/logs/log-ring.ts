import type { Level } from './log-levels.ts'

/** A line of a log as it arrived. */
export interface LogLine {
  /** When it was written, as the Engine says: RFC 3339 with nanoseconds. */
  time: string
  /** The line with its escape sequences, without its newline. */
  text: string
  /** What wrote it, such as a service; empty where there is one source only. */
  source: string
  /** `note` is a line of ours: a container ended. */
  kind: 'stdout' | 'stderr' | 'note'
  /** The id of its container, where there are several. */
  origin?: string
  /** Its level, or that of the line it belongs to. */
  level?: Level | undefined
}

/**
 * Consecutive lines of a log, by their sequence numbers. The first line that was added has number
 * 0, those before it are negative. Each also has a top, counted in rows of the page: a line that
 * wraps takes more than one row, a line that is hidden none.
 */
export class LogRing {
  /** The number after that of the last line. */
  end = 0
  /** The sequence number of the oldest line that is left. */
  first = 0
  /** Called with each line that leaves the ring because newer ones came. */
  onDrop: (line: LogLine) => void = () => {}
  readonly capacity: number
  readonly #lines: (LogLine | undefined)[] = []
  readonly #tops: Float64Array
  /** Rows of each line; 0 if they were not counted yet. */
  readonly #rows: Int32Array
  readonly #shown: Uint8Array
  #top = 0
  #rowsOf: (line: LogLine) => number = () => 1
  #isShown: (line: LogLine, sequence: number) => boolean = () => true

  constructor(capacity = 50_000) {
    this.capacity = capacity
    this.#tops = new Float64Array(capacity)
    this.#rows = new Int32Array(capacity)
    this.#shown = new Uint8Array(capacity)
  }

  /** The number of lines. */
  get size(): number {
    return this.end - this.first
  }

  /** The row below the last line. */
  get bottom(): number {
    return this.#top
  }

  add(line: LogLine): void {
    if (this.size === this.capacity) {
      const oldest = this.get(this.first)
      this.first += 1
      if (oldest) this.onDrop(oldest)
    }
    const slot = this.#put(this.end, line)
    this.#tops[slot] = this.#top
    this.#top += this.#height(slot)
    this.end += 1
  }

  /** Puts lines before the first one, the last ones of them if there is not room for all. */
  prepend(lines: readonly LogLine[]): void {
    const room = this.capacity - this.size
    for (const line of room === 0 ? [] : lines.slice(-room).reverse()) {
      const below = this.topOf(this.first)
      this.first -= 1
      const slot = this.#put(this.first, line)
      this.#tops[slot] = below - this.#height(slot)
    }
  }

  get(sequence: number): LogLine | undefined {
    if (sequence < this.first || sequence >= this.end) return undefined
    return this.#lines[this.#slot(sequence)]
  }

  /** Returns whether a line of the ring is not hidden. */
  isShown(sequence: number): boolean {
    const isHere = sequence >= this.first && sequence < this.end
    return isHere && this.#shown[this.#slot(sequence)] === 1
  }

  /** Returns the next line that is shown, or the end. */
  nextShown(sequence: number): number {
    const below = this.topOf(sequence + 1)
    return below >= this.#top ? this.end : this.at(below)
  }

  /** Returns the lines from one row to another that are shown. */
  shownBetween(from: number, to: number): number[] {
    const last = this.at(to)
    const lines: number[] = []
    let one = this.at(from)
    while (one <= last && one < this.end) {
      if (this.isShown(one)) lines.push(one)
      one = this.nextShown(one)
    }
    return lines
  }

  /** Returns the row at which a line begins. */
  topOf(sequence: number): number {
    if (sequence >= this.end) return this.#top
    return this.#tops[this.#slot(Math.max(sequence, this.first))] ?? 0
  }

  /**
   * Returns the line at a row, which is one that is shown: the first or the last one if the row is
   * outside.
   */
  at(row: number): number {
    const wanted = Math.max(row, this.topOf(this.first))
    let low = this.first
    let high = Math.max(low, this.end - 1)
    while (low < high) {
      const middle = low + Math.ceil((high - low) / 2)
      if (this.topOf(middle) <= wanted) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Sets how many rows a line takes, and places every line again. */
  measure(rowsOf: (line: LogLine) => number): void {
    this.#rowsOf = rowsOf
    this.#rows.fill(0)
    this.#place()
  }

  /** Sets which lines are shown, and places every line again; `anchor` keeps its place. */
  filter(isShown: (line: LogLine, sequence: number) => boolean, anchor = this.first): void {
    const before = this.topOf(anchor)
    this.#isShown = isShown
    for (let sequence = this.first; sequence < this.end; sequence += 1) {
      const slot = this.#slot(sequence)
      this.#shown[slot] = isShown(this.#lines[slot] as LogLine, sequence) ? 1 : 0
    }
    this.#place()
    this.#shift(before - this.topOf(anchor))
  }

  /** Forgets all lines. Sequence numbers start again. */
  clear(): void {
    this.#lines.length = 0
    this.first = 0
    this.end = 0
    this.#top = 0
  }

  #slot(sequence: number): number {
    const rest = sequence % this.capacity
    return rest < 0 ? rest + this.capacity : rest
  }

  #put(sequence: number, line: LogLine): number {
    const slot = this.#slot(sequence)
    this.#lines[slot] = line
    this.#rows[slot] = 0
    this.#shown[slot] = this.#isShown(line, sequence) ? 1 : 0
    return slot
  }

  /** Counts the rows of a line once it is shown: that is what takes time. */
  #height(slot: number): number {
    if (this.#shown[slot] === 0) return 0
    const rows = this.#rows[slot] || this.#rowsOf(this.#lines[slot] as LogLine)
    this.#rows[slot] = rows
    return rows
  }

  #shift(rows: number): void {
    if (rows === 0) return
    for (let sequence = this.first; sequence < this.end; sequence += 1) {
      const slot = this.#slot(sequence)
      this.#tops[slot] = (this.#tops[slot] ?? 0) + rows
    }
    this.#top += rows
  }

  #place(): void {
    let top = this.topOf(this.first)
    for (let sequence = this.first; sequence < this.end; sequence += 1) {
      const slot = this.#slot(sequence)
      this.#tops[slot] = top
      top += this.#height(slot)
    }
    this.#top = top
  }
}
