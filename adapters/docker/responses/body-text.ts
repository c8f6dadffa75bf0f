import type { IncomingMessage } from 'node:http'
import { ForeignResponse } from './errors.ts'

/** The number of bytes that all concurrent calls of one Engine hold in memory. */
export interface ResponseBudget {
  held: number
}

/**
 * The limit in bytes for responses that are read as a whole. The list of a host with ten thousand
 * containers is smaller.
 */
export const bytesMax = 128 * 1024 * 1024

/**
 * The limit for commas, opening brackets and opening braces in a response. A list of ten thousand
 * containers has half as many. Without this limit, parsing `[{},{},…]` of 128 MiB takes 4 GB and
 * blocks the process for more than a minute.
 */
export const delimitersMax = 4_000_000

/**
 * Returns the body of a response as text.
 *
 * @throws ForeignResponse if it has more than `max` bytes, if it has too many values to parse, or
 *   if the concurrent responses that share `budget` are too large in total
 */
export async function bodyText(
  response: IncomingMessage,
  budget: ResponseBudget = { held: 0 },
  max = bytesMax,
): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  let signs = 0
  try {
    for await (const chunk of response) {
      size += chunk.length
      budget.held += chunk.length
      signs += countDelimiters(chunk)
      if (size > max) throw new ForeignResponse(`the response has more than ${max} bytes`)
      if (signs > delimitersMax) throw new ForeignResponse('the response has too many values')
      if (budget.held > bytesMax)
        throw new ForeignResponse('the concurrent responses are too large in total')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    budget.held -= size
  }
}

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

function countDelimiters(chunk: Buffer): number {
  let found = 0
  for (let at = 0; at < chunk.length; at += 1) {
    const byte = chunk[at]
    if (byte === comma || byte === bracket || byte === brace) found += 1
  }
  return found
}
