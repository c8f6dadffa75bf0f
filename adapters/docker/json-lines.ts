import { ForeignAnswer } from './errors.ts'

/** Characters. The longest line; samples and events with all labels of a container are shorter. */
const lineMax = 4 * 1024 * 1024

/**
 * Yields the objects of a stream of JSON lines, whatever the chunk boundaries. Drops an incomplete
 * last line.
 *
 * @throws ForeignAnswer if a complete line is not a JSON object or is too long
 */
export async function* jsonLines(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncIterable<any> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > lineMax) throw new ForeignAnswer('a line is too long')
    for (const line of lines) {
      if (line.trim() !== '') yield objectOf(line) ?? refuse(line)
    }
  }
  const last = objectOf(rest)
  if (last) yield last
}

function objectOf(line: string): any {
  try {
    const value = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function refuse(line: string): never {
  throw new ForeignAnswer(`a line is not an object in JSON: ${line.slice(0, 200)}`)
}
