/**
 * Returns a whole stream as UTF-8 text.
 *
 * @throws `Error` with the message `words` if the stream has more than `limit` bytes
 */
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
