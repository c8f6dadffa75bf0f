import type { Caller } from '../core/access/account.ts'
import type { AuditOutcome } from '../core/audit/row.ts'
import { broken } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { started } from '../core/promises.ts'
import { type Attempt, type AuditNote, auditRow, type KnownUser, madeSubject } from './audit-row.ts'
import type { EndpointFacts } from './endpoint.ts'
import type { HttpEvent, HttpResponse } from './event.ts'
import { type Outcome, Reply } from './reply.ts'
import { usualStatus } from './respond.ts'

/** What of a request its rows are made of. The recorder keeps its own state in `record`. */
export interface Recorded {
  event: HttpEvent
  caller?: Caller
  input?: { body: unknown; query: unknown }
  hosts?: ReadonlySet<string>
  note?: AuditNote
  record?: { id: string; begun: boolean; over: boolean; late: boolean; ending?: Promise<void> }
}

/** What `recorder` makes. */
export type Recorder = ReturnType<typeof recorder>

/** Statuses of an attempt that was refused for who made it. */
const refusals = new Set([401, 403, 423])

/**
 * Keeps the audit rows of an endpoint's requests. A change is recorded before it begins and before it is answered; without
 * its first row it does not happen. Of a caller without a credential only the success is a row of its own, since anybody can
 * fail any number of times. Refused attempts, also of reads, are kept after their answer.
 */
export function recorder(
  facts: Pick<EndpointFacts, 'changes' | 'beginsWithLease' | 'recordedOnce' | 'status' | 'returns'>,
  ports: Needs<'audit' | 'clock' | 'random'>,
) {
  const attempt = (work: Recorded): Attempt => {
    work.record ??= {
      id: ports.random.id(),
      begun: false,
      over: false,
      late: facts.beginsWithLease || facts.recordedOnce || false,
    }
    const { event, caller, input, hosts = new Set(), note = {} } = work
    const { body, query } = input ?? {}
    return { id: work.record.id, at: ports.clock.now(), event, caller, body, query, hosts, note }
  }
  const keep = async (work: Recorded, outcome: AuditOutcome, status: number | null) =>
    ports.audit.append(auditRow(attempt(work), { outcome, status, user: await userOf(work) }))
  const refuse = async (work: Recorded, status: number) => {
    const user = await userOf(work).catch(() => undefined)
    ports.audit.refuse(auditRow(attempt(work), { outcome: 'refused', status, user }))
  }
  return {
    changes: ({ event }: Recorded) => facts.changes ?? event.requestContext.http.method !== 'GET',
    /** Before `run` of what begins later: how it ends is recorded also when it never began. */
    awaits(work: Recorded): void {
      attempt(work)
    },
    /** Before the change. Throws when it cannot be recorded. */
    async began(work: Recorded): Promise<void> {
      await keep(work, 'begun', null)
      work.record!.begun = true
    },
    /** While `run` writes what it did. */
    ends(work: Recorded): void {
      work.record!.ending = started(
        work.record?.ending ?? keep(work, 'succeeded', usualStatus(facts)),
      )
    },
    /** After `run`, before the answer. */
    async ended(work: Recorded, outcome: Outcome, status: number): Promise<void> {
      if (work.note?.unchanged && !work.record?.begun) return
      if (work.note?.refused) return refuse(work, work.note.refused)
      const value = outcome instanceof Reply ? outcome.value : outcome
      const subject = work.note?.subject ?? madeSubject(work.event.routeKey, value)
      if (subject) work.note = { ...work.note, subject }
      try {
        await (work.record?.ending ?? keep(work, 'succeeded', status))
      } catch (cause) {
        throw broken('this was done, and could not be recorded', { cause })
      } finally {
        work.record!.over = true
      }
    },
    /** After a failure, before its answer. What cannot be recorded then leaves the answer as it is. */
    async failed(
      work: Recorded,
      { statusCode }: Pick<HttpResponse, 'statusCode'>,
    ): Promise<unknown> {
      if (work.record?.over) return undefined
      const refused = refusals.has(statusCode)
      const { begun = false, late = false } = work.record ?? {}
      if (!begun && (refused || !late)) {
        if (refused) void refuse(work, statusCode)
        return undefined
      }
      const outcome = refused ? 'refused' : 'failed'
      return keep(work, outcome, statusCode).catch((error) => error)
    },
  }
}

async function userOf({ note }: Recorded): Promise<KnownUser> {
  return typeof note?.user === 'function' ? note.user() : note?.user
}
