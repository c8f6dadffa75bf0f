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
}

/**
 * The last lines of a log, by their sequence numbers. Each also has a top, counted in rows of the
 * page: a line that wraps takes more than one.
 */
export class LogRing {
  /** Lines that were ever added. */
  end = 0
  readonly capacity: number
  readonly #lines: LogLine[] = []
  readonly #tops: Float64Array
  #top = 0
  #rowsOf: (line: LogLine) => number = () => 1

  constructor(capacity = 50_000) {
    this.capacity = capacity
    this.#tops = new Float64Array(capacity)
  }

  /** The sequence number of the oldest line that is left. */
  get first(): number {
    return Math.max(0, this.end - this.capacity)
  }

  /** The row below the last line. */
  get bottom(): number {
    return this.#top
  }

  add(line: LogLine): void {
    const slot = this.end % this.capacity
    this.#lines[slot] = line
    this.#tops[slot] = this.#top
    this.#top += this.#rowsOf(line)
    this.end += 1
  }

  get(sequence: number): LogLine | undefined {
    if (sequence < this.first || sequence >= this.end) return undefined
    return this.#lines[sequence % this.capacity]
  }

  /** Returns the row at which a line begins. */
  topOf(sequence: number): number {
    if (sequence >= this.end) return this.#top
    return this.#tops[Math.max(sequence, this.first) % this.capacity] ?? 0
  }

  /** Returns the line at a row: the first or the last one if the row is outside. */
  at(row: number): number {
    let low = this.first
    let high = Math.max(low, this.end - 1)
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.topOf(middle) <= row) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Sets how many rows a line takes, and places every line again. */
  measure(rowsOf: (line: LogLine) => number): void {
    this.#rowsOf = rowsOf
    const { first } = this
    this.#top = this.topOf(first)
    for (let sequence = first; sequence < this.end; sequence += 1) {
      const slot = sequence % this.capacity
      this.#tops[slot] = this.#top
      this.#top += rowsOf(this.#lines[slot] as LogLine)
    }
  }

  /** Forgets all lines. Sequence numbers start again. */
  clear(): void {
    this.#lines.length = 0
    this.end = 0
    this.#top = 0
  }
}
