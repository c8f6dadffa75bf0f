/** All of a stream as text. Throws an `Error` with these words when it has more bytes than that. */
export async function boundedText(
  source: AsyncIterable<Uint8Array>,
  limit: number,
  words: string,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > limit) throw new Error(words)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
