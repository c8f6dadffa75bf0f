import type { Readable } from 'node:stream'

/** A line of input without its end. Undefined for one that is longer than the limit. */
export type Line = string | undefined

/** Bytes of the longest message: the files of a stack are sent in one. */
export const lineMax = 8 * 1024 * 1024

const newline = 0x0a

/** Returns the lines of a stream as they come. It keeps at most one line in memory. */
export async function* linesOf(input: Readable, max = lineMax): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    let rest = Buffer.from(chunk)
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      size += end
      if (size <= max) parts.push(rest.subarray(0, end))
      yield size <= max ? Buffer.concat(parts).toString('utf8') : undefined
      rest = rest.subarray(end + 1)
      parts = []
      size = 0
    }
    size += rest.length
    if (size <= max) parts.push(rest)
    else parts = []
  }
  if (size > max) yield undefined
  else if (size > 0) yield Buffer.concat(parts).toString('utf8')
}
