import type { LogLine } from '../../../functions/core/records/container.ts'

/** Complete lines as they arrived, and the stamp of the last message, which may be unfinished. */
export interface LogBatch {
  lines: LogLine[]
  latest: string
}

/** Where a log is read from. */
export interface LogStart {
  tail: number | 'all'
  since?: string | undefined
  until?: string | undefined
}

/** Lines that are remembered to find the same place again. */
const recentMax = 64
/** Characters of the shortest part of a line that is split. */
const partMin = 60_000

/** How far a log has been read. */
export interface LogPlace {
  /** Returns the lines of a batch that are new, and one before them if others are missing. */
  accept(batch: LogBatch): Promise<LogLine[]>
  /**
   * Returns whether the log goes on after what has arrived.
   *
   * @param stamp of the last message of the log, empty without one; undefined if it is not known
   */
  isBehind(stamp: string | undefined): boolean
  /** Returns the stamp of the last message that has arrived; empty without one. */
  latest(): string
  /** Returns where to open the log again. */
  resume(): LogStart
}

/** @param lastStamp returns the stamp of the last message of the log */
export function logPlace(lastStamp: () => Promise<string | undefined>): LogPlace {
  let latest = ''
  /** The end of a log of which nothing has arrived. */
  let base: string | undefined
  let recent: LogLine[] = []
  const newest = { stdout: '', stderr: '' }
  const lastText = { stdout: '', stderr: '' }
  /** The log was opened again, and its lines are those that arrived before. */
  let isResuming = false
  let isContinuous = false
  /** Lines arrive again, because the Engine reads a rotated file from its beginning. */
  let isRepeating = false

  function isKnown(line: LogLine): boolean {
    if (recent.length === 0) return line.time <= (base ?? '')
    const isLast = isSame(line, recent.at(-1))
    isContinuous ||= isLast
    return isLast || recent.some((one) => isSame(one, line))
  }

  /** If the log ends with another line than before, the clock of the host was set back. */
  async function isRepeat({ time, stream, line }: LogLine): Promise<boolean> {
    if (time === '' || time > newest[stream]) return false
    if (isRepeating) return true
    // The parts of a long line have one stamp, and can be equal.
    if (time === newest[stream]) return line === lastText[stream] && line.length < partMin
    const last = await lastStamp()
    if (last === undefined || last === '') return false
    return last >= newest[stream] || last === newest.stdout || last === newest.stderr
  }

  function add(line: LogLine): void {
    newest[line.stream] = line.time
    lastText[line.stream] = line.line
    recent.push(line)
    // Cut in bulk: a flood of lines would be slow otherwise.
    if (recent.length > 4 * recentMax) recent = recent.slice(-recentMax)
  }

  return {
    async accept(batch) {
      const lines: LogLine[] = []
      for (const line of batch.lines) {
        if (isResuming && isKnown(line)) continue
        if (isResuming && !isContinuous) lines.push(gapLine(line))
        isResuming = false
        isRepeating = await isRepeat(line)
        if (isRepeating) continue
        lines.push(line)
        add(line)
      }
      latest = batch.latest
      return lines
    },
    isBehind(stamp) {
      if (stamp === undefined) return false
      if (latest !== '') return stamp > latest
      base ??= stamp
      return stamp > base
    },
    latest: () => latest,
    resume() {
      isResuming = true
      // Nothing is known of a log of which no line has arrived.
      isContinuous = recent.length === 0
      recent = recent.slice(-recentMax)
      const oldest = recent.map(({ time }) => time).sort()[0]
      return { tail: 'all', since: oldest ?? (latest || base || undefined) }
    },
  }
}

const isSame = (one: LogLine, other: LogLine | undefined) =>
  other !== undefined && one.time === other.time && one.stream === other.stream

const gapLine = ({ time }: LogLine): LogLine => ({
  stream: 'stderr',
  time,
  line: '[lines are missing here: the log was rotated or emptied before they were read]',
})
