import { internalError } from '../core/errors.ts'
import { ignoreError } from '../core/ignore-error.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { AuditOutcome, AuditTrail } from '../core/records/audit-row.ts'
import { type Attempt, type AuditNote, auditRow, type KnownUser, subjectOf } from './audit-row.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import type { HttpEvent, HttpResponse } from './event.ts'
import { type Outcome, Reply } from './reply.ts'

/**
 * The parts of a request that its audit rows are made from. The recorder keeps its own state in
 * `record`.
 */
export interface Recorded {
  event: HttpEvent
  caller?: Caller
  input?: { body: unknown; query: unknown }
  hosts?: ReadonlySet<string>
  note?: AuditNote
  record?: { id: string; begun: boolean; over: boolean; late: boolean }
}

export type Recorder = ReturnType<typeof recorder>

/** Statuses of an attempt that is refused because of its caller. */
const refusals = new Set([401, 403, 423])

/**
 * Makes the recorder that writes the audit rows of an endpoint's requests. A change is recorded
 * before it begins and again before its response; if the first row cannot be written, the change
 * does not happen. For a caller without a credential only success has a row, since anyone can fail
 * any number of times. Refused attempts, including reads, are written after their response.
 */
export function recorder(
  facts: Pick<EndpointFacts, 'changes' | 'beginsWithLease' | 'recordedOnce'>,
  ports: Needs<'audit' | 'clock' | 'random'>,
) {
  const recordOf = (work: Recorded) => {
    work.record ??= {
      id: ports.random.id(),
      begun: false,
      over: false,
      late: facts.beginsWithLease || facts.recordedOnce || false,
    }
    return work.record
  }
  const attempt = (work: Recorded): Attempt => {
    const { id } = recordOf(work)
    const { event, caller, input, hosts = new Set(), note = {} } = work
    const { body, query } = input ?? {}
    return { id, at: ports.clock.now(), event, caller, body, query, hosts, note }
  }
  const keep = async (work: Recorded, outcome: AuditOutcome, status: number | null) =>
    ports.audit.append(auditRow(attempt(work), { outcome, status, user: await userOf(work) }))
  const refuse = async (work: Recorded, status: number) => {
    const user = await userOf(work).catch(ignoreError('find the user of a refused request'))
    ports.audit.refuse(auditRow(attempt(work), { outcome: 'refused', status, user }))
  }
  return {
    changes: ({ event }: Recorded) => facts.changes ?? event.requestContext.http.method !== 'GET',
    /** Returns what a row that continues the row of this request needs. */
    trail(work: Recorded): AuditTrail {
      const row = auditRow(attempt(work), { outcome: 'begun', status: null })
      const { id, action, userId, username, credential, requestId } = row
      return { row: id, action, userId, username, credential, requestId }
    },
    /**
     * Called before `run` if the start is recorded later or never. How the change ends is then
     * recorded even if it never started.
     */
    defer(work: Recorded): void {
      recordOf(work)
    },
    /** Called before the change. Throws if the start cannot be recorded. */
    async start(work: Recorded): Promise<void> {
      await keep(work, 'begun', null)
      recordOf(work).begun = true
    },
    /**
     * Called after a read, before its response. Throws if it had secrets and cannot be recorded.
     */
    async read(work: Recorded, status: number): Promise<void> {
      if (!work.note?.secretRead) return
      await ports.audit.recordRead(auditRow(attempt(work), { outcome: 'succeeded', status }))
    },
    /** Called after `run`, before the response. */
    async complete(work: Recorded, outcome: Outcome, status: number): Promise<void> {
      if (work.note?.unchanged && !work.record?.begun) return
      if (work.note?.refused) return refuse(work, work.note.refused)
      const value = outcome instanceof Reply ? outcome.value : outcome
      const subject = work.note?.subject ?? subjectOf(work.event, value)
      if (subject) work.note = { ...work.note, subject }
      const hasFailed = outcome instanceof Reply && outcome.hasFailed
      try {
        await keep(work, hasFailed ? 'failed' : 'succeeded', status)
      } catch (cause) {
        throw internalError('the request succeeded, but could not be recorded in the audit log', {
          cause,
        })
      } finally {
        recordOf(work).over = true
      }
    },
    /**
     * Called after a failure, before its response. Nothing happens if the end is recorded already,
     * or if anyone could have failed so before anything began.
     * If the row cannot be written, the response stays as it is.
     */
    async fail(work: Recorded, { statusCode }: Pick<HttpResponse, 'statusCode'>): Promise<unknown> {
      if (work.record?.over) return undefined
      if (work.record) work.record.over = true
      const refused = refusals.has(statusCode)
      const { begun = false, late = false } = work.record ?? {}
      if (!begun && (refused || !late || !work.caller)) {
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
