import { ForeignResponse } from './errors.ts'

/**
 * The longest line in characters. Samples and events with all labels of a container are shorter.
 */
const lineMax = 4 * 1024 * 1024

/** A line about the progress of a pull, an import or a build. */
export interface ProgressLine {
  status?: string
  stream?: string
  id?: string
  progressDetail?: { current?: number; total?: number } | null
  error?: string
  errorDetail?: { message?: string }
  aux?: string | { ID?: string } | null
}

/**
 * Yields the objects of a stream of JSON lines. Lines may span chunks. Drops an incomplete last
 * line. Only checks that a line is an object, so all members of `T` must be optional.
 *
 * @throws ForeignResponse if a complete line is not a JSON object or is too long
 */
export async function* jsonLines<T extends object>(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncIterable<T> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > lineMax) throw new ForeignResponse('a line is too long')
    for (const line of lines) {
      if (line.trim() !== '') yield (parseObject(line) ?? refuse(line)) as T
    }
  }
  const last = parseObject(rest)
  if (last) yield last as T
}

function parseObject(line: string): object | undefined {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function refuse(line: string): never {
  throw new ForeignResponse(`a line is not an object in JSON: ${line.slice(0, 200)}`)
}
