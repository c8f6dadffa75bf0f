/** The objects of a stream of JSON lines, however its bytes were cut on the way. Lines that are not JSON are left out. */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncIterable<any> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.flatMap(parsed)
  }
  yield* parsed(rest)
}

function parsed(line: string): any[] {
  if (line.trim() === '') return []
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
