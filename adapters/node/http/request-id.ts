import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const form = /^[A-Za-z0-9._-]{1,128}$/

/** The id that the client gave its request, if it is one, else a new one. */
export function requestIdOf(incoming: IncomingMessage): string {
  const given = incoming.headers['x-request-id']
  return typeof given === 'string' && form.test(given) ? given : randomUUID()
}
