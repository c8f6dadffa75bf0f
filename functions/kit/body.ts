import { isUtf8 } from 'node:buffer'
import jsonBodyParser from '@middy/http-json-body-parser'
import type { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { decodeField } from './base64.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import type { HttpEvent } from './event.ts'
import { findInvalidKey, hasTooManyValues, valuesMax } from './json-keys.ts'

const megabyte = 1024 * 1024
const parser = jsonBodyParser()

/** Returns whether a body has more bytes than its endpoint accepts. Decodes nothing. */
export const isTooLarge = (
  { body = '', isBase64Encoded }: Pick<HttpEvent, 'body' | 'isBase64Encoded'>,
  { bodyLimit = megabyte }: Pick<EndpointFacts, 'bodyLimit'>,
): boolean => Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > bodyLimit

/**
 * Returns the JSON body of a request, or undefined if none was sent and the schema allows that.
 *
 * @throws 400 if the body cannot be read. The message never repeats what was sent.
 */
export async function readBody(
  event: HttpEvent,
  schema: z.ZodType,
  { bodyLimit: limit = megabyte, bulkField }: Pick<EndpointFacts, 'bodyLimit' | 'bulkField'> = {},
) {
  if (bulkField !== undefined && isPlainJson(event) && event.bytes && event.bytes.length <= limit) {
    const decoded = decodeField(event.bytes, bulkField)
    if (decoded) return { [bulkField]: decoded }
  }
  const text = textOf(event)
  if (text === '' && schema.safeParse(undefined).success) return undefined
  if (!isJson(event)) {
    throw invalid('the request needs a JSON body with the header Content-Type: application/json')
  }
  if (!isInUtf8(event)) throw invalid('Content-Type: the charset must be utf-8')
  if (text.length > limit || Buffer.byteLength(text) > limit) {
    throw invalid(`the body is larger than ${limit} bytes`)
  }
  if (hasTooManyValues(text)) throw invalid(`the body has more than ${valuesMax} values`)
  const value = await parse(text)
  const unfit = findInvalidKey(text)
  if (unfit) {
    const name = JSON.stringify(unfit.key.slice(0, 100))
    throw invalid(
      unfit.why === 'twice' ? `body: duplicate field ${name}` : `body: unknown field ${name}`,
    )
  }
  return value
}

/** Yields the body of a request as it was sent. */
export async function* bytesOf(event: HttpEvent): AsyncGenerator<Uint8Array> {
  const { chunks, bytes, body = '', isBase64Encoded } = event
  if (chunks) yield* chunks()
  else yield bytes ?? Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
}

/**
 * Rejects a body where an endpoint takes none. An empty object is accepted.
 *
 * @throws 400 if there is such a body
 */
export function refuseBody(event: HttpEvent): void {
  const text = textOf(event).trim()
  if (text !== '' && !/^\{\s*\}$/.test(text)) throw invalid('body: this endpoint accepts no body')
}

const isJson = ({ headers }: HttpEvent) =>
  /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(event: HttpEvent): string {
  if (event.bodyProblem !== undefined) throw invalid(event.bodyProblem)
  if (isEncoded(event)) throw invalid('Content-Encoding: not supported, send the body without one')
  if (event.bytes) {
    if (!isUtf8(event.bytes)) throw invalid('the body is not valid UTF-8')
    return event.bytes.toString('utf8')
  }
  if (!event.isBase64Encoded) return event.body ?? ''
  try {
    return utf8.decode(Buffer.from(event.body ?? '', 'base64'))
  } catch {
    throw invalid('the body is not valid UTF-8')
  }
}

const isEncoded = ({ headers }: HttpEvent) =>
  (headers['content-encoding'] ?? 'identity') !== 'identity'

/**
 * Returns true unless a `charset` says otherwise: JSON needs none, and it is read as UTF-8. The
 * extended forms of RFC 2231 (`charset*=`, `charset*0=`) are not read and count as another charset.
 */
const isInUtf8 = ({ headers }: HttpEvent) =>
  [...(headers['content-type'] ?? '').matchAll(charsetParameter)].every(
    ([, extended, charset = '']) => extended === '' && /^(utf-?8|"utf-?8")$/i.test(charset),
  )

const charsetParameter = /;\s*charset((?:\*[^=;\s]*)?)\s*=\s*("[^"]*"|[^;\s]*)/gi

const isPlainJson = (event: HttpEvent) => isJson(event) && isInUtf8(event) && !isEncoded(event)

async function parse(text: string): Promise<unknown> {
  // The parser checks the content type again, more strictly, and puts unreadable input into its
  // error.
  const event: { headers: object; body: unknown } = {
    headers: { 'content-type': 'application/json' },
    body: text,
  }
  try {
    await parser.before?.({ event } as never)
  } catch {
    throw invalid('the body is not valid JSON')
  }
  return event.body
}
