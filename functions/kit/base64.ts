import { z } from 'zod'

/**
 * Bytes in base64 (RFC 4648, section 4), with padding and without any other characters. The
 * endpoint gets a Buffer. `readBody` may have decoded the bytes already, see `bulkField`.
 */
export const Base64 = z
  .custom<string | Buffer>(
    (sent) => typeof sent === 'string' || Buffer.isBuffer(sent),
    'must be a string',
  )
  .transform((sent, context) => {
    if (typeof sent !== 'string') return sent
    if (sent.length % 4 === 0 && form.test(sent)) return Buffer.from(sent, 'base64')
    context.addIssue('must be base64')
    return z.NEVER
  })

const form = /^[A-Za-z0-9+/]*={0,2}$/
const quote = 0x22
/** A multiple of four, so that each slice decodes independently. */
const sliceBytes = 64 * 1024

/**
 * Decodes the bytes of `{"<field>": "<base64>"}` in place, without a second copy or a string of
 * several megabytes. Returns undefined for a body of any other form and leaves it unchanged.
 */
export function decodeField(body: Buffer, field: string): Buffer | undefined {
  const head = /^[ \t\r\n]*\{[ \t\r\n]*"(\w+)"[ \t\r\n]*:[ \t\r\n]*"/.exec(
    body.toString('latin1', 0, 256),
  )
  if (head?.[1] !== field) return undefined
  const start = head[0].length
  const end = body.indexOf(quote, start)
  if (end < 0 || body.length - end > 64) return undefined
  if (!/^"[ \t\r\n]*\}[ \t\r\n]*$/.test(body.toString('latin1', end))) return undefined
  return isBase64(body, start, end) ? decode(body, start, end) : undefined
}

function isBase64(body: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += sliceBytes) {
    const slice = body.toString('latin1', at, Math.min(at + sliceBytes, end))
    if (!form.test(slice)) return false
    if (slice.endsWith('=') && at + sliceBytes < end) return false
  }
  return (end - start) % 4 === 0
}

/**
 * Writes three bytes for every four read, so the write position never overtakes the read position.
 */
function decode(body: Buffer, start: number, end: number): Buffer {
  let written = 0
  for (let at = start; at < end; at += sliceBytes) {
    const slice = body.toString('latin1', at, Math.min(at + sliceBytes, end))
    written += body.write(slice, written, 'base64')
  }
  return body.subarray(0, written)
}
