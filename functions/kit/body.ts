import jsonBodyParser from '@middy/http-json-body-parser'
import { invalid } from '../core/errors.ts'
import type { HttpEvent } from './event.ts'

const megabyte = 1024 * 1024
const parser = jsonBodyParser()

/** The JSON body of a request. Throws a `Failure` 400 that never repeats what was sent. */
export async function readBody(event: HttpEvent, limit = megabyte): Promise<unknown> {
  const text = event.body ?? ''
  if (!/^application\/json\s*(;|$)/i.test(event.headers['content-type'] ?? '')) {
    throw invalid('the request needs a JSON body with the header Content-Type: application/json')
  }
  if (Buffer.byteLength(text) > limit) throw invalid(`the body is larger than ${limit} bytes`)
  const copy: any = { event: { ...event, headers: { 'content-type': 'application/json' } } }
  try {
    await parser.before?.(copy)
  } catch {
    throw invalid('the body is not valid JSON')
  }
  return copy.event.body
}
