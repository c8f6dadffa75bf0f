import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Failure } from '../../../../functions/core/errors.ts'
import { failureResponse } from '../../../../functions/kit/failures.ts'

/**
 * Writes an error response to a socket without a response object, and closes it. Returns the size
 * of the body. Discards the client's remaining data for at most `linger` milliseconds, because
 * closing at once would discard the response.
 */
export function answerRaw(socket: Duplex, id: string, failure: Failure, linger: number): number {
  const { statusCode, body, ...response } = failureResponse(failure, id)
  const headers = {
    ...response.headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => {})
  const timer = setTimeout(() => socket.destroy(), linger)
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => socket.destroy())
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`)
  socket.resume()
  return body.length
}
