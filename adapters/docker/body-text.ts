import type { IncomingMessage } from 'node:http'
import { ForeignAnswer } from './errors.ts'

/** Bytes of an answer that is read as a whole: the lists of hosts with ten thousand containers are smaller. */
const bytesMax = 128 * 1024 * 1024

/** Returns the body of an answer as text. Throws a `ForeignAnswer` for one of more than `max` bytes. */
export async function bodyText(response: IncomingMessage, max = bytesMax): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > max) throw new ForeignAnswer(`the answer has more than ${max} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
