import type { LogLine } from './log-ring.ts'

/** Lines of several containers can be on their way for this long. Milliseconds. */
const overlap = 2000

/** The last line of a container, and how many of its time there are. Parts of one have one time. */
interface Last {
  time: string
  count: number
}

/** Lines that were not there before. */
interface Accepted {
  lines: LogLine[]
  /** Others before them are missing. */
  hasGap: boolean
}

/** How far the logs on a page have been read, so that a feed continues without a gap. */
export class LogPosition {
  /** The last line of each container. */
  readonly #last = new Map<string, Last>()
  /** The same when the feed was opened: it sends some lines again. */
  #before: ReadonlyMap<string, Last> = new Map()
  /** The containers that have sent lines since, and how many of the last time before. */
  readonly #again = new Map<string, number>()
  /** From when on the feed sends lines. Milliseconds. */
  #from = Number.NaN
  /** What is not later was read with the past lines, or will be. */
  #floor: string
  #newest: string | undefined

  /**
   * @param past the lines that are there, without a gap
   * @param start where a feed begins that has no line before it; by default with the first line
   */
  constructor(past: readonly LogLine[] = [], start?: string) {
    const lines = past.filter(({ kind }) => kind !== 'note')
    this.#floor = lines[0]?.time ?? ''
    this.#newest = start
    for (const { origin = '', time } of lines) this.#note(origin, time)
    this.resume()
  }

  copy(): LogPosition {
    const other = new LogPosition()
    for (const [origin, last] of this.#last) other.#last.set(origin, last)
    other.#floor = this.#floor
    other.#newest = this.#newest
    other.resume()
    return other
  }

  /** Returns where a feed begins, a little earlier than needed; undefined without a line. */
  since(): string | undefined {
    return Number.isNaN(this.#from) ? undefined : new Date(this.#from).toISOString()
  }

  /** Begins to leave out the lines that a new connection sends again. */
  resume(): void {
    this.#before = new Map(this.#last)
    this.#again.clear()
    this.#from = this.#newest === undefined ? Number.NaN : Date.parse(this.#newest) - overlap
  }

  /** Returns the lines of a container that were not there before. */
  accept(origin: string, lines: readonly LogLine[]): Accepted {
    const before = this.#before.get(origin)
    const hasGap = before !== undefined && this.#isMissing(origin, before, lines[0])
    const isNew = ({ time }: LogLine) => {
      if (!before) return time > this.#floor
      if (time !== before.time) return time > before.time
      const again = this.#again.get(origin) ?? 0
      this.#again.set(origin, again + 1)
      return again >= before.count
    }
    this.#again.set(origin, this.#again.get(origin) ?? 0)
    const later = lines.filter(isNew)
    for (const { time } of later) this.#note(origin, time)
    return { lines: later, hasGap }
  }

  /** Returns whether a new connection does not begin with what is there, though it should. */
  #isMissing(origin: string, before: Last, first: LogLine | undefined): boolean {
    if (this.#again.has(origin) || first === undefined) return false
    return Date.parse(before.time) >= this.#from && first.time > before.time
  }

  #note(origin: string, time: string): void {
    const last = this.#last.get(origin)
    this.#last.set(origin, { time, count: last?.time === time ? last.count + 1 : 1 })
    if (this.#newest === undefined || time > this.#newest) this.#newest = time
  }
}
