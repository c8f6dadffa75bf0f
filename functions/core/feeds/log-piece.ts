import type { LogLine } from '../engine/engine.ts'
import type { Piece } from './broadcast.ts'
import { type Encoded, EncodedText } from './message.ts'

/** Characters of lines in one message, and what a line costs besides. */
export const pieceMax = 64 * 1024
const lineCost = 64

/** Where the lines of a merged log come from. */
export interface Origin {
  service: string
  container_id: string
}

/** Lines of one stream of a container, in order, or the end of its log. What is sent of it is encoded once for all. */
export class LogPiece implements Piece, Encoded {
  readonly lines: readonly LogLine[]
  readonly size: number
  /** Of the container that ended; null for one that runs again or is gone. */
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

  /** The message of the container's own log. */
  get bytes(): Uint8Array {
    this.#plain ??= new EncodedText(JSON.stringify(this.#message()))
    return this.#plain.bytes
  }

  /** The message of a merged log. The origin is that of the container, the same for all. */
  placed(origin: Origin): EncodedText {
    this.#placed ??= new EncodedText(JSON.stringify(this.#message(origin)))
    return this.#placed
  }

  /** The lines that were written after an instant, nothing when there are none. */
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

/** The end of a container's log. */
export const endPiece = (exitCode: number | null) => new LogPiece([], lineCost, exitCode)

/** What a line weighs. */
export const weightOf = ({ line }: LogLine) => line.length + lineCost

/** Lines as messages: neighbours of one stream together, up to 64 KiB; each by itself where `apart` says so. */
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
