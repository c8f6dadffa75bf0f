import type { LogLine } from '../records/container.ts'
import type { BroadcastItem, Subscription } from '../streams/broadcast.ts'
import { type Encoded, EncodedText } from '../streams/message.ts'

/**
 * The maximum size of the lines in one message, in characters, and what each line counts in
 * addition to its text.
 */
export const chunkMax = 64 * 1024
const lineOverhead = 64

/** The container that lines of a merged log come from. */
export interface Origin {
  service: string
  container_id: string
}

/**
 * Consecutive lines of one stream of a container, or the end of its log. Its message is encoded
 * once for all followers.
 */
export class LogChunk implements BroadcastItem, Encoded {
  readonly lines: readonly LogLine[]
  readonly size: number
  /**
   * The exit code if the log ended; null if the container runs again or was removed. Undefined for
   * lines.
   */
  readonly exitCode: number | null | undefined
  #plain: EncodedText | undefined
  #timed: EncodedText | undefined
  #merged: { plain?: EncodedText; timed?: EncodedText } = {}

  constructor(lines: readonly LogLine[], size: number, exitCode?: number | null) {
    this.lines = lines
    this.size = size
    this.exitCode = exitCode
  }

  get isEnd(): boolean {
    return this.lines.length === 0
  }

  /** The message for the log of one container. */
  get bytes(): Uint8Array {
    this.#plain ??= new EncodedText(JSON.stringify(this.#message()))
    return this.#plain.bytes
  }

  /** Returns the message for the log of one container, with the time of each line. */
  withTimes(): Encoded {
    if (this.isEnd) return this
    this.#timed ??= new EncodedText(JSON.stringify({ ...this.#message(), ...this.#times() }))
    return this.#timed
  }

  /**
   * Returns the message for a merged log. Always call it with the same origin: the
   * message is cached.
   */
  messageFrom(origin: Origin, withTimes = false): EncodedText {
    const kind = withTimes ? 'timed' : 'plain'
    const text = () => JSON.stringify({ ...this.#message(origin), ...(withTimes && this.#times()) })
    this.#merged[kind] ??= new EncodedText(text())
    return this.#merged[kind]
  }

  /**
   * Returns the lines after an instant, or undefined if there are none. The end of a log is always
   * returned.
   */
  after(time: string): LogChunk | undefined {
    const [first] = this.lines
    if (first === undefined || first.time > time) return this
    const later = this.lines.filter((line) => line.time > time)
    return later.length === 0 ? undefined : new LogChunk(later, this.size)
  }

  #times() {
    return this.isEnd ? {} : { times: this.lines.map(({ time }) => time) }
  }

  #message(origin?: Origin) {
    const last = this.lines.at(-1)
    if (last === undefined) return { ...origin, end: { exit_code: this.exitCode } }
    const { stream, time } = last
    return { ...origin, stream, time, data: textOf(this.lines) }
  }
}

function textOf(lines: readonly LogLine[]): string {
  let text = ''
  for (const { line } of lines) text += `${line}\n`
  return text
}

/** Returns the chunk for the end of a container's log. */
export const endChunk = (exitCode: number | null) => new LogChunk([], lineOverhead, exitCode)

/** Returns the size at which a line is counted. */
export const lineSize = ({ line }: LogLine) => line.length + lineOverhead

/**
 * Groups lines into messages: consecutive lines of one stream, up to 64 KiB. A line for which
 * `isSeparate` returns true begins a new message.
 */
export function chunksOf(
  lines: readonly LogLine[],
  isSeparate: (line: LogLine) => boolean = () => false,
): LogChunk[] {
  const chunks: LogChunk[] = []
  let [from, to, size] = [0, 0, 0]
  for (const line of lines) {
    to += 1
    size += lineSize(line)
    const next = lines[to]
    const fits = next && next.stream === line.stream && size + lineSize(next) <= chunkMax
    if (fits && !isSeparate(next)) continue
    chunks.push(new LogChunk(lines.slice(from, to), size))
    from = to
    size = 0
  }
  return chunks
}

/** Returns the messages of a log, each with the times of its lines. */
export function timedMessages(log: Subscription<LogChunk>): Subscription<Encoded> {
  const timed = ({ value, done }: IteratorResult<LogChunk>): IteratorResult<Encoded> =>
    done ? { value: undefined, done } : { value: value.withTimes(), done: false }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => log.next().then(timed),
    return: () => log.return().then(timed),
  }
}
