import type { IncomingMessage } from 'node:http'
import { ForeignAnswer } from './errors.ts'

/**
 * The largest response body that is read at once. Lists of hosts with ten thousand containers are
 * smaller. Bytes.
 */
const bytesMax = 128 * 1024 * 1024

/**
 * Returns a response body as text.
 *
 * @throws ForeignAnswer if the body is larger than `max` bytes
 */
export async function bodyText(response: IncomingMessage, max = bytesMax): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > max) throw new ForeignAnswer(`the response is larger than ${max} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
