import type { IncomingMessage } from 'node:http'
import { ForeignAnswer } from './errors.ts'

/** Bytes of responses that are in memory at one time, over all calls of one Engine. */
export interface AnswerBudget {
  held: number
}

/**
 * Bytes. The limit of responses that are read as a whole; lists of hosts with ten thousand
 * containers are smaller.
 */
export const bytesMax = 128 * 1024 * 1024

/**
 * Limit of commas, brackets and braces; lists of ten thousand containers have half as many. Parsing
 * `[{},{},…]` of 128 MiB takes 4 GB and blocks the process for more than a minute.
 */
export const signsMax = 4_000_000

/**
 * Returns the body of a response as text.
 *
 * @throws ForeignAnswer if it has more than `max` bytes, if it has too many values to parse, or if
 * all responses that `budget` counts together are too large
 */
export async function bodyText(
  response: IncomingMessage,
  budget: AnswerBudget = { held: 0 },
  max = bytesMax,
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  let signs = 0
  try {
    for await (const chunk of response) {
      size += chunk.length
      budget.held += chunk.length
      signs += signsIn(chunk)
      if (size > max) throw new ForeignAnswer(`the answer has more than ${max} bytes`)
      if (signs > signsMax) throw new ForeignAnswer('the answer has too many values')
      if (budget.held > bytesMax) throw new ForeignAnswer('the answers together are too long')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    budget.held -= size
  }
}

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

function signsIn(chunk: Buffer): number {
  let found = 0
  for (let at = 0; at < chunk.length; at += 1) {
    const byte = chunk[at]
    if (byte === comma || byte === bracket || byte === brace) found += 1
  }
  return found
}
