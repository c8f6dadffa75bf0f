import { type Level, levelOf } from './log-levels.ts'
import type { LogLine } from './log-ring.ts'

/** Lines that are written this soon after one with a level belong to it. Milliseconds. */
const together = 100
const isIndented = /^(?:\s|\u001b\[[0-9;]*m\s)/

/** The last line with a level, of one container and stream. */
interface Leader {
  level: Level
  at: number
}

/**
 * Gives lines their levels, in their order. A line without one, such as of a stack trace, has that
 * of the line with a level before it, of the same container and stream, if it is indented or was
 * written within 100 ms of that line.
 */
export class LevelTracker {
  readonly #leaders = new Map<string, Leader>()

  /** Sets the level of a line that comes after those before. */
  assign(line: LogLine): void {
    if (line.kind === 'note') return
    const key = `${line.origin ?? ''} ${line.source} ${line.kind}`
    const own = levelOf(line.text)
    const leader = this.#leaders.get(key)
    if (own) this.#leaders.set(key, { level: own, at: Date.parse(line.time) })
    else if (leader && !belongs(line, leader)) this.#leaders.delete(key)
    line.level = own ?? this.#leaders.get(key)?.level
  }
}

const belongs = ({ text, time }: LogLine, { at }: Leader) =>
  isIndented.test(text) || Math.abs(Date.parse(time) - at) <= together
