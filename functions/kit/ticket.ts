import { createHash } from 'node:crypto'
import { currentCaller } from '../core/access/caller.ts'
import { isTicket } from '../core/access/ticket.ts'
import { forbidden, invalid, unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { AuthenticationPorts } from './authenticate.ts'
import type { HttpEvent } from './event.ts'

/** Ports that every feed needs to authenticate its caller. */
export type FeedPorts = AuthenticationPorts & Needs<'tickets'>

/**
 * Returns the ticket of an upgrade and the event without it, so that no feed sees a ticket.
 *
 * @throws 400 if there are two tickets
 */
export function splitTicket(event: HttpEvent): { ticket: string | undefined; rest: HttpEvent } {
  const pairs = event.rawQueryString.split('&')
  const tickets = pairs.filter((pair) => pair.startsWith('ticket='))
  if (tickets.length === 0) return { ticket: undefined, rest: event }
  if (tickets.length > 1) throw invalid('query.ticket: must not be repeated')
  const rawQueryString = pairs.filter((pair) => !pair.startsWith('ticket=')).join('&')
  return { ticket: tickets[0]?.slice('ticket='.length), rest: { ...event, rawQueryString } }
}

/** Returns the SHA-256 of a ticket in hex, the only form in which it is stored. */
export const ticketHash = (ticket: string) => createHash('sha256').update(ticket).digest('hex')

/**
 * Consumes a ticket and returns the caller of the credential that created it.
 *
 * A ticket that was created by a page is valid only for pages of the same origin. For other tickets
 * `event.originProblem` decides.
 *
 * @throws 401 with the same message for any invalid ticket, 403 if the origin is not allowed
 */
export async function callerOfTicket(
  ticket: string,
  event: HttpEvent,
  ports: FeedPorts,
): Promise<Caller> {
  const used = isTicket(ticket) ? await ports.tickets.use(ticketHash(ticket)) : undefined
  const caller = used?.credential && (await currentCaller(used.credential, ports))
  if (!caller) throw unauthenticated('the ticket is invalid, used or expired')
  if (used.origin === null) refuseOrigin(event.originProblem)
  else if (event.headers.origin !== used.origin) {
    refuseOrigin('the ticket is bound to another origin')
  }
  return caller
}

function refuseOrigin(problem: string | undefined): void {
  if (problem !== undefined) throw forbidden(problem)
}
