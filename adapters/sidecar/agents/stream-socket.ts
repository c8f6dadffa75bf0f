import type { ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'

/**
 * Returns an HTTP/2 stream as a socket for Node's HTTP client. Socket methods that a stream lacks
 * do nothing. Strings become bytes before they are written: Node sends freed memory when a corked
 * stream is given a string and then an empty one, as the HTTP client does for each request with a
 * body.
 */
export function socketOf(stream: ClientHttp2Stream): Socket {
  const write = stream.write.bind(stream) as (chunk: Uint8Array, done?: unknown) => boolean
  const end = stream.end.bind(stream) as (chunk?: Uint8Array, done?: unknown) => typeof stream
  const bytes = (chunk: string | Uint8Array, encoding: unknown) =>
    typeof chunk === 'string'
      ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
      : chunk
  const lastFunction = (...given: unknown[]) => given.find((one) => typeof one === 'function')
  return Object.assign(stream, {
    write: (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) =>
      write(bytes(chunk, encoding), lastFunction(encoding, done)),
    end(chunk?: unknown, encoding?: unknown, done?: unknown) {
      const callback = lastFunction(chunk, encoding, done)
      const hasChunk = chunk !== undefined && chunk !== null && typeof chunk !== 'function'
      return hasChunk
        ? end(bytes(chunk as string | Uint8Array, encoding), callback)
        : end(undefined, callback)
    },
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    setTimeout: () => stream,
    ref: () => stream,
    unref: () => stream,
    destroySoon() {
      if (stream.writable) stream.end()
      if (stream.writableFinished) stream.destroy()
      else stream.once('finish', () => stream.destroy())
    },
  }) as unknown as Socket
}
