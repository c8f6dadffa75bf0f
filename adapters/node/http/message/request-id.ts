import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const form = /^[A-Za-z0-9._-]{1,128}$/

/** Returns whether a client may choose this value as the id of its request. */
export const isRequestId = (given: unknown): given is string =>
  typeof given === 'string' && form.test(given)

/** Returns the client's request id if it is valid, otherwise a new one. */
export function requestIdOf(incoming: IncomingMessage): string {
  const given = incoming.headers['x-request-id']
  return isRequestId(given) ? given : randomUUID()
}
