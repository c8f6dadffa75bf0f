import type { LogLine } from '../../../functions/core/records/container.ts'
import { type Frame, FrameSplitter } from './frames.ts'
import { joinBuffers } from './join-buffers.ts'

/** Bytes. Longer lines are split, because a container may never end a line. */
const lineMax = 256 * 1024
/**
 * Bytes. The Engine splits longer lines into messages of exactly this length; only the last one is
 * shorter.
 */
const messageMax = 16 * 1024

/** Takes the chunks of an Engine's log with timestamps, and returns the complete lines. */
export interface LogSplitter {
  push(chunk: Buffer): LogLine[]
  /** Returns the remaining lines, which have no line end, when the log ends. */
  end(): LogLine[]
  /** Returns the stamp of the last message, also of an incomplete line; empty without one. */
  latest(): string
}

/**
 * Returns a splitter. `raw` is the format for a container with a terminal; others are multiplexed.
 */
export function logSplitter(form: 'raw' | 'multiplexed'): LogSplitter {
  const frames = form === 'raw' ? new RawSplitter() : new FrameSplitter()
  const open: Record<Frame['stream'], Open> = { stdout: none, stderr: none }
  let latest = ''

  function finish(stream: Frame['stream'], keep = 0): LogLine {
    const { time, parts } = open[stream]
    const bytes = joinBuffers(parts)
    const end = bytes.length - keep
    const rest = keep > 0 ? [bytes.subarray(end)] : []
    open[stream] = keep > 0 ? { time, parts: rest, length: keep } : none
    return { stream, time, line: lineOf(bytes, end) }
  }

  function add({ stream, data }: Frame, lines: LogLine[]): void {
    const space = data.indexOf(32)
    const { time, parts, length } = open[stream]
    const payload = data.subarray(space + 1)
    latest = data.toString('latin1', 0, Math.max(space, 0))
    open[stream] = {
      time: parts.length > 0 ? time : latest,
      parts: parts.length > 0 ? [...parts, payload] : [payload],
      length: length + payload.length,
    }
    if (payload.at(-1) === 10) lines.push(finish(stream))
    else if (open[stream].length >= lineMax) lines.push(finish(stream, unfinished(payload)))
  }

  return {
    latest: () => latest,
    push(chunk) {
      const lines: LogLine[] = []
      for (const frame of frames.push(chunk)) add(frame, lines)
      return lines
    },
    end() {
      const lines: LogLine[] = []
      if (frames instanceof RawSplitter) for (const frame of frames.end()) add(frame, lines)
      for (const stream of ['stdout', 'stderr'] as const) {
        if (open[stream].parts.length > 0) lines.push(finish(stream))
      }
      return lines
    },
  }
}

/** The messages of an incomplete line, and the time of the first one. */
interface Open {
  time: string
  parts: Buffer[]
  length: number
}

const none: Open = { time: '', parts: [], length: 0 }

/** Returns the text without the line end. Terminals also print a carriage return. */
function lineOf(bytes: Buffer, length: number): string {
  let end = length
  if (end > 0 && bytes[end - 1] === 10) end -= 1
  if (end > 0 && bytes[end - 1] === 13) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** Returns how many bytes at the end are part of an incomplete UTF-8 character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes.readUInt8(bytes.length - back)
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/**
 * Splits a log that is not multiplexed into messages. They have no separator: a message ends with
 * its newline, or at the length at which the Engine splits.
 */
class RawSplitter {
  #rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Frame[] {
    const buffer = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const found: Frame[] = []
    let offset = 0
    for (;;) {
      const space = buffer.indexOf(32, offset)
      if (space < 0) break
      const newline = buffer.indexOf(10, space + 1)
      const whole = newline >= 0 && newline - space <= messageMax
      if (!whole && buffer.length - space - 1 < messageMax) break
      const end = whole ? newline + 1 : space + 1 + messageMax
      found.push({ stream: 'stdout', data: buffer.subarray(offset, end) })
      offset = end
    }
    this.#rest = buffer.subarray(offset)
    return found
  }

  end(): Frame[] {
    return this.#rest.length > 0 ? [{ stream: 'stdout', data: this.#rest }] : []
  }
}
