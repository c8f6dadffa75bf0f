import type { IncomingMessage } from 'node:http'
import type { HttpEvent } from '../../../../functions/kit/event.ts'

/** The part of an event about the body. */
export type SentBody = Pick<HttpEvent, 'bytes' | 'bodyProblem'>

/** Returns whether the headers announce a body, even an empty one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Returns the maximum bytes of the body according to the headers. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}

/**
 * Reads the body of a request that has one. A body larger than `limit` bytes, or one that does not
 * arrive within `time` milliseconds, becomes a problem that the handler reports. Rejects if the
 * client disconnects. Calls `proceed` when the body is wanted, because the client may be waiting
 * for 100 Continue.
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
      reject(new Error('the client disconnected before the body was complete'))
    }
    if (incoming.destroyed)
      return reject(new Error('the client disconnected before the body was read'))
    const timer = setTimeout(() => done({ bodyProblem: 'the body did not arrive in time' }), time)
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
}

const large = 1024 * 1024

/**
 * Returns a collector of chunks. A large body of known size is written into one buffer, so that it
 * is never in memory twice.
 */
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
