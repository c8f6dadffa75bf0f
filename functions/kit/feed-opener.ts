import type { Caller } from '../core/access/account.ts'
import { allows } from '../core/access/grant.ts'
import { scopePorts } from '../core/access/scope.ts'
import { notingHosts } from '../core/audit/touched.ts'
import { Failure, forbidden } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { type AuthenticationPorts, authenticate } from './authenticate.ts'
import type { HandlerContext, HttpEvent } from './event.ts'
import { type FeedFacts, type FeedInput, type Own, type Rest, ready, type Sent } from './feed.ts'
import { type Recorded, recorder } from './recorder.ts'
import { callerOfTicket, splitTicket } from './ticket.ts'
import { validator } from './validate.ts'

/** Ports that every feed needs to authenticate its caller. */
export type FeedPorts = AuthenticationPorts & Needs<'tickets'>

/** The client's side of a connection, before and after the upgrade. */
export interface FeedLink {
  incoming: AsyncIterable<string | Uint8Array>
  signal: AbortSignal
}

/** An open feed: every check before the upgrade has passed. */
export interface OpenFeed {
  readonly caller: Caller
  /** The hosts that the feed has sent a request to so far. */
  readonly hosts: ReadonlySet<string>
  /** The first value that it yielded. */
  readonly first: Sent | undefined
  readonly messages: Own
  /** The messages to forward, if the feed had none of its own. */
  readonly rest: Rest | undefined
}

/** Opens a feed for the event of its upgrade. Throws the `Failure` to answer with if that fails. */
export type FeedHandler = (
  event: HttpEvent,
  link: FeedLink,
  context?: HandlerContext,
) => Promise<OpenFeed>

type Run = (input: FeedInput<any, any>, ports: object) => Own

/**
 * Runs the steps of every feed before its first message, in the order of those of a request: 401,
 * 403, 400, then `run`. A refusal is recorded. The opening is recorded for feeds that take
 * messages, since those can change something.
 */
export function feedOpener(facts: FeedFacts, run: Run, ports: FeedPorts): FeedHandler {
  const validate = validator(facts)
  const records = recorder({ changes: facts.takes ?? false }, ports)
  const open = async (
    work: Recorded,
    link: FeedLink,
    context: HandlerContext,
  ): Promise<OpenFeed> => {
    const { event } = work
    const { ticket, rest } = splitTicket(event)
    const caller = ticket
      ? await callerOfTicket(ticket, event, ports)
      : await authenticate(event.headers.authorization, ports)
    work.caller = caller
    context.user = caller.account.username
    if (!allows(caller, facts.access)) {
      const { role } = caller.account
      throw forbidden(`your role ${role} does not have the permission ${facts.access}`)
    }
    const { path, query } = await validate(rest)
    const { requestId, http } = event.requestContext
    const hosts = new Set<string>()
    work.hosts = hosts
    work.input = { body: undefined, query }
    if (records.changes(work)) await records.began(work)
    const messages = run(
      {
        path,
        query,
        caller,
        // Created on first use: most feeds never read it.
        get incoming() {
          return link.incoming
        },
        signal: link.signal,
        request: { id: requestId, ip: http.sourceIp, userAgent: http.userAgent },
      },
      notingHosts(scopePorts(ports, caller), hosts),
    )
    const { value, done } = await messages.next()
    if (records.changes(work)) await records.ended(work, undefined, 101)
    if (!done) return { caller, hosts, first: value, messages, rest: undefined }
    const left = value ?? undefined
    return { caller, hosts, first: left && ready, messages, rest: left }
  }
  return async (event, link, context = {}) => {
    const work: Recorded = { event }
    try {
      return await open(work, link, context)
    } catch (error) {
      await records.failed(work, { statusCode: error instanceof Failure ? error.status : 500 })
      throw error
    }
  }
}
