import type { IncomingMessage } from 'node:http'
import type { HttpEvent } from '../../../functions/kit/event.ts'

/** The part of an event that says what was sent. */
export type SentBody = Pick<HttpEvent, 'bytes' | 'bodyProblem'>

/** True when the head announces a body, be it an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** The bytes that a body may have by its head. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}

/**
 * The body of a request that has one. One that is larger than `limit` bytes or does not arrive within `time` milliseconds is a
 * problem that the handler answers in its turn. Rejects when the client went. `proceed` is called when the body is wanted: the
 * client may be waiting for a word.
 */
export function readBody(
  incoming: IncomingMessage,
  limit: number,
  time: number,
  proceed: () => void,
) {
  const tooLarge = { bodyProblem: `the body is larger than ${limit} bytes` }
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge)
  proceed()
  return new Promise<SentBody>((resolve, reject) => {
    const body = gatherer(incoming)
    const done = (sent: SentBody) => {
      clearTimeout(timer)
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
      incoming.on('error', () => {})
      resolve(sent)
    }
    const onData = (chunk: Buffer) => {
      if (body.add(chunk) <= limit) return
      incoming.pause()
      done(tooLarge)
    }
    const onEnd = () => done({ bytes: body.whole() })
    const onGone = () => {
      clearTimeout(timer)
      reject(new Error('the client went before the body was whole'))
    }
    if (incoming.destroyed) return reject(new Error('the client went before it was read'))
    const timer = setTimeout(() => done({ bodyProblem: 'the body did not arrive in time' }), time)
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
}

const large = 1024 * 1024

/** Puts chunks together. A large body whose size is known has its place from the beginning: it is never there twice. */
function gatherer(incoming: IncomingMessage) {
  const announced = Number(incoming.headers['content-length'] ?? 0)
  const place = announced > large ? Buffer.allocUnsafeSlow(announced) : undefined
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk: Buffer): number {
      if (place) chunk.copy(place, size)
      else chunks.push(chunk)
      size += chunk.length
      return size
    },
    whole: () => place?.subarray(0, size) ?? Buffer.concat(chunks, size),
  }
}
