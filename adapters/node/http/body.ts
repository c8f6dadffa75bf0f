import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { HttpEvent } from '../../../functions/kit/event.ts'

/** The part of an event that says what was sent. */
export type SentBody = Pick<HttpEvent, 'body' | 'isBase64Encoded' | 'bodyProblem'>

/** What a request without a body has. */
export const noBody: SentBody = { body: undefined, isBase64Encoded: false }

/** True when the head announces a body, be it an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * The body of a request that has one, UTF-8 as text and anything else in base64. One that is larger than `limit` bytes or does not
 * arrive within `time` milliseconds is a problem that the handler answers in its turn. Rejects when the client went. `proceed`
 * is called when the body is wanted: the client may be waiting for a word.
 */
export function readBody(
  incoming: IncomingMessage,
  limit: number,
  time: number,
  proceed: () => void,
) {
  const tooLarge = { ...noBody, bodyProblem: `the body is larger than ${limit} bytes` }
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge)
  proceed()
  return new Promise<SentBody>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (body: SentBody) => {
      clearTimeout(timer)
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
      incoming.on('error', () => {})
      resolve(body)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        incoming.pause()
        return done(tooLarge)
      }
      chunks.push(chunk)
    }
    const onEnd = () => done(textOf(Buffer.concat(chunks, size)))
    const onGone = () => {
      clearTimeout(timer)
      reject(new Error('the client went before the body was whole'))
    }
    const timer = setTimeout(
      () => done({ ...noBody, bodyProblem: 'the body did not arrive in time' }),
      time,
    )
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
}

function textOf(bytes: Buffer): SentBody {
  return isUtf8(bytes)
    ? { body: bytes.toString('utf8'), isBase64Encoded: false }
    : { body: bytes.toString('base64'), isBase64Encoded: true }
}
