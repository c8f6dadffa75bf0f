import type { LogLine } from './log-ring.ts'

/** Lines of several containers can be on their way for this long. Milliseconds. */
const overlap = 2000

/** How far the logs on a page have been read, so that a feed continues without a gap. */
export class LogPosition {
  /** The time of the last line of each container. */
  readonly #last = new Map<string, string>()
  /** The same when the feed was opened: it sends some lines again. */
  #before: ReadonlyMap<string, string> = new Map()
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
    for (const [origin, time] of this.#last) other.#note(origin, time)
    other.#floor = this.#floor
    other.#newest = this.#newest
    other.resume()
    return other
  }

  /** Returns where a feed begins, a little earlier than needed; undefined without a line. */
  since(): string | undefined {
    if (this.#newest === undefined) return undefined
    return new Date(Date.parse(this.#newest) - overlap).toISOString()
  }

  /** Begins to leave out the lines that a new connection sends again. */
  resume(): void {
    this.#before = new Map(this.#last)
  }

  /** Returns the lines of a container that were not there before. */
  accept(origin: string, lines: readonly LogLine[]): LogLine[] {
    const from = this.#before.get(origin) ?? this.#floor
    const later = lines.filter(({ time }) => time > from)
    const last = later.at(-1)
    if (last) this.#note(origin, last.time)
    return later
  }

  #note(origin: string, time: string): void {
    this.#last.set(origin, time)
    if (this.#newest === undefined || time > this.#newest) this.#newest = time
  }
}
