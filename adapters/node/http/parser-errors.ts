import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type Failure, invalid } from '../../../functions/core/errors.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'
import { logRequest } from './message/access-log.ts'
import { answerRaw } from './message/raw-answer.ts'

/**
 * Answers requests that cannot be parsed or did not arrive in time. If earlier requests of the
 * connection are still being answered, the error follows in order.
 */
export function onParserError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  open: Iterable<Exchange>,
  log: Log,
  limits: Limits,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const failure = failureOf(error)
  const mine = [...open].filter((exchange) => exchange.incoming.socket === socket)
  const last = mine.at(-1)
  if (!last) refuse(socket, failure, log, limits)
  else if (last.incoming.complete) {
    last.outgoing.once('close', () => refuse(socket, failure, log, limits))
  } else if (last.outgoing.headersSent || error.code === cutShort) socket.destroy()
  else last.refuse(failure)
}

/** The client ended the connection in the middle of a request. */
const cutShort = 'HPE_INVALID_EOF_STATE'

function refuse(socket: Socket, failure: Failure, log: Log, limits: Limits): void {
  const id = randomUUID()
  const startedAt = performance.now()
  const bytes = socket.writable ? answerRaw(socket, id, failure, limits.linger) : 0
  const unknown = { method: null, route: null, path: null, user: undefined, error: undefined }
  logRequest(log, { ...unknown, id, status: failure.status, startedAt, bytes })
}

function failureOf({ code }: NodeJS.ErrnoException): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return invalid('the headers of the request are too large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return invalid('the request did not arrive in time')
  return invalid('the request is not valid HTTP/1.1')
}
