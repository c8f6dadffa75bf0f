import { allows, notAllowed } from '../core/access/grant.ts'
import { scopePorts } from '../core/access/scope.ts'
import { trackHosts } from '../core/audit/track-hosts.ts'
import { Failure } from '../core/errors.ts'
import type { Caller } from '../core/records/account.ts'
import type { AuditNote } from './audit-row.ts'
import { authenticate } from './authenticate.ts'
import type { HandlerContext, HttpEvent } from './event.ts'
import {
  type AnyFeedInput,
  type FeedCheck,
  type FeedFacts,
  type FeedStream,
  type FeedValue,
  type Rest,
  ready,
} from './feed-facts.ts'
import { type Recorded, type Recorder, recorder } from './recorder.ts'
import { callerOfTicket, type FeedPorts, splitTicket } from './ticket.ts'
import { validator } from './validate.ts'

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
  readonly first: FeedValue | undefined
  readonly messages: FeedStream
  /** The messages to forward, if the feed had none of its own. */
  readonly rest: Rest | undefined
  /** What it needs besides its permission. */
  readonly check?: FeedCheck | undefined
}

/** Opens a feed for the event of its upgrade. Throws the `Failure` to answer with if that fails. */
export type FeedHandler = (
  event: HttpEvent,
  link: FeedLink,
  context?: HandlerContext,
) => Promise<OpenFeed>

type Run = (input: AnyFeedInput, ports: object) => FeedStream

/**
 * Runs the steps of every feed before its first message, in the order of those of a request: 401,
 * 403, 400, then `run`. A refusal is recorded. The opening is recorded for feeds that take
 * messages, since those can change something, and the end of a feed that is a change.
 */
export function feedOpener(facts: FeedFacts, run: Run, ports: FeedPorts): FeedHandler {
  const validate = validator(facts)
  const { changes = false, receives = false } = facts
  const records = recorder({ changes: changes || receives }, ports)
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
    if (!allows(caller, facts.access)) throw notAllowed(caller, facts.access)
    const { path, query } = await validate(rest)
    const { requestId, http } = event.requestContext
    const hosts = new Set<string>()
    work.hosts = hosts
    work.input = { body: undefined, query }
    if (records.changes(work)) await records.start(work)
    let check: FeedCheck | undefined
    const sent = run(
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
        note: (more: AuditNote) => {
          work.note = { ...work.note, ...more }
        },
        needs: (needed: FeedCheck) => {
          check = needed
        },
      },
      trackHosts(scopePorts(ports, caller), hosts),
    )
    const messages = changes ? recordedAtEnd(sent, { work, link, records }) : sent
    const { value, done } = await messages.next()
    if (receives) await records.complete(work, undefined, 101)
    if (facts.readsSecrets) await records.read(work, 101)
    const about = { caller, hosts, messages, check }
    if (!done) return { ...about, first: value, rest: undefined }
    const left = value ?? undefined
    return { ...about, first: left && ready, rest: left }
  }
  return async (event, link, context = {}) => {
    const work: Recorded = { event }
    try {
      return await open(work, link, context)
    } catch (error) {
      await records.fail(work, { statusCode: statusOf(error) })
      throw error
    }
  }
}

const statusOf = (error: unknown) => (error instanceof Failure ? error.status : 500)

/** The status in the row of a change whose client left before its end, as proxies write it. */
const clientLeft = 499

/** Passes on what a feed sends and records how that ended. */
async function* recordedAtEnd(
  messages: FeedStream,
  { work, link, records }: { work: Recorded; link: FeedLink; records: Recorder },
): FeedStream {
  let statusCode = clientLeft
  try {
    const rest = yield* messages
    await records.complete(work, undefined, 200)
    return rest
  } catch (error) {
    if (!link.signal.aborted) statusCode = statusOf(error)
    throw error
  } finally {
    await records.fail(work, { statusCode })
  }
}
