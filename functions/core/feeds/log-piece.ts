import type { LogLine } from '../engine/engine.ts'
import type { Piece } from './broadcast.ts'
import { type Encoded, EncodedText } from './message.ts'

/**
 * The maximum size of the lines in one message, in characters, and what each line counts in
 * addition to its text.
 */
export const pieceMax = 64 * 1024
const lineCost = 64

/** The container that lines of a merged log come from. */
export interface Origin {
  service: string
  container_id: string
}

/**
 * Consecutive lines of one stream of a container, or the end of its log. Its message is encoded
 * once for all followers.
 */
export class LogPiece implements Piece, Encoded {
  readonly lines: readonly LogLine[]
  readonly size: number
  /** The exit code if the log ended; null if the container runs again or was removed. */
  readonly exitCode: number | null
  #plain: EncodedText | undefined
  #placed: EncodedText | undefined

  constructor(lines: readonly LogLine[], size: number, exitCode: number | null = null) {
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

  /**
   * Returns the message for a merged log. A piece must always be called with the same origin,
   * because the message is cached.
   */
  placed(origin: Origin): EncodedText {
    this.#placed ??= new EncodedText(JSON.stringify(this.#message(origin)))
    return this.#placed
  }

  /**
   * Returns the lines after an instant, or undefined if there are none. The end of a log is always
   * returned.
   */
  after(time: string): LogPiece | undefined {
    if (this.isEnd || this.lines[0]!.time > time) return this
    const later = this.lines.filter((line) => line.time > time)
    return later.length === 0 ? undefined : new LogPiece(later, this.size)
  }

  #message(origin?: Origin) {
    if (this.isEnd) return { ...origin, end: { exit_code: this.exitCode } }
    const { stream, time } = this.lines.at(-1)!
    return { ...origin, stream, time, data: textOf(this.lines) }
  }
}

function textOf(lines: readonly LogLine[]): string {
  let text = ''
  for (const { line } of lines) text += `${line}\n`
  return text
}

/** Returns the piece for the end of a container's log. */
export const endPiece = (exitCode: number | null) => new LogPiece([], lineCost, exitCode)

/** Returns the size at which a line is counted. */
export const weightOf = ({ line }: LogLine) => line.length + lineCost

/**
 * Groups lines into messages: consecutive lines of one stream, up to 64 KiB. A line for which
 * `apart` returns true begins a new message.
 */
export function piecesOf(
  lines: readonly LogLine[],
  apart: (line: LogLine) => boolean = () => false,
): LogPiece[] {
  const pieces: LogPiece[] = []
  let from = 0
  let size = 0
  for (let at = 0; at < lines.length; at += 1) {
    size += weightOf(lines[at]!)
    const next = lines[at + 1]
    const goesOn = next && next.stream === lines[at]!.stream && size + weightOf(next) <= pieceMax
    if (goesOn && !apart(next)) continue
    pieces.push(new LogPiece(lines.slice(from, at + 1), size))
    from = at + 1
    size = 0
  }
  return pieces
}
