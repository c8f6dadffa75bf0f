import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import { auditActions } from '../core/records/audit-actions.ts'
import type { AuditEntry } from '../core/records/audit-chain.ts'
import type { AuditSubject } from '../core/records/audit-row.ts'
import { CredentialKind } from '../kit/params.ts'

/** The maximum number of rows that a list returns. */
export const auditMax = 1000

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

export const AuditRow = z
  .object({
    id: z.string().describe('Id of the row'),
    time: Instant.describe(
      'Never before that of a row with a smaller `sequence`, even if the clocks of processes differ',
    ),
    action: z
      .string()
      .meta({ 'x-known-values': auditActions })
      .describe('`<resource>.<verb>`, derived from the path, such as `stacks.deploy`'),
    outcome: z
      .enum(['begun', 'succeeded', 'failed', 'refused'])
      .describe('`begun`: still running, or the process died while it ran'),
    status: z.int().nullable().describe('The status of the response'),
    actor: z
      .enum(['user', 'service', 'nobody'])
      .describe('The actor: a user, the service itself in the background, or an unknown caller'),
    user_id: z.string().nullable().describe('Id of the user; `null` if the actor is not a user'),
    username: z
      .string()
      .nullable()
      .describe('Name of the user at that time; `null` if the actor is not a user'),
    credential: z
      .object({
        kind: CredentialKind.describe('Whether it was a session or an API token'),
        id: z.string().describe('Id of the session or API token'),
      })
      .nullable()
      .describe('The credential of the request; `null` without one'),
    ip: z.string().nullable().describe('Address of the client; `null` for the service itself'),
    user_agent: z
      .string()
      .nullable()
      .describe('`User-Agent` of the client; `null` for the service itself'),
    request_id: z.string().nullable().describe('The same as in X-Request-Id and in the log'),
    subject: z
      .object({
        kind: z.string().describe('Kind of the subject, such as `stacks`'),
        id: z.string().describe('Id or name of the subject'),
        name: z.string().nullable().describe('Null in rows of earlier versions, or if unknown'),
      })
      .nullable()
      .describe('What the action was about; `null` if it was nothing in particular'),
    hosts: z.array(z.string()).describe('Ids of the hosts that were affected'),
    fields: z.array(z.string()).describe('Names of the fields in the request'),
    values: z
      .record(z.string(), value)
      .describe('Values of the fields that cannot contain a secret'),
    continues: z
      .string()
      .nullable()
      .describe(
        'The id of the row that this one continues, such as how a deploy ended that went on after a response with 202',
      ),
    count: z.int().describe('How many attempts the row stands for: repeated refusals are counted'),
    sequence: z.int().describe('The position of the row in the chain'),
    mac: z.string().describe('The HMAC that links the row to the previous one'),
  })
  .meta({ id: 'AuditRow' })

export const AuditVerdict = z
  .object({
    ok: z.boolean().describe('Whether all rows are as they were recorded'),
    rows: z.int().describe('How many rows were read; a change has two: start and end'),
    head: z
      .object({
        sequence: z.int().describe('Position of the row in the chain'),
        mac: z.string().describe('The HMAC of the row'),
      })
      .nullable()
      .describe('The newest row'),
    problems: z
      .array(
        z.object({
          kind: z
            .enum(['changed', 'missing', 'inserted', 'replaced'])
            .describe('What happened to the rows'),
          from: z.int().describe('The sequence number of the first affected row'),
          to: z.int().describe('The sequence number of the last affected row'),
          id: z.string().nullable().describe('The id of the affected row, if it is one row'),
        }),
      )
      .max(100)
      .describe('In the order of the rows'),
    checkpoint: z
      .object({
        sequence: z.int().describe('Position of the last removed row'),
        time: Instant.describe('When that row was recorded'),
      })
      .optional()
      .describe(
        'The last row that was removed with POST /audit/trim. The rows after it were verified.',
      ),
  })
  .meta({ id: 'AuditVerdict' })

/** Rows in one page of an export. */
export const exportMax = 500

/** A row in its stored form. `mac` is an HMAC over everything but the key id. */
export const AuditLink = z
  .object({
    seq: z.int().describe('Position of the row in the chain'),
    prev: z.string().describe('The HMAC of the previous row'),
    mac: z.string().describe('The HMAC of this row'),
    latest: z
      .int()
      .describe(
        'The latest time of this row and all rows before it, in milliseconds since the epoch',
      ),
    key: z.string().describe('The id of the key of the HMAC'),
    row: z.record(z.string(), z.unknown()).describe('The row as it was recorded'),
  })
  .meta({ id: 'AuditLink' })

/** Returns a row in the API's form. */
export function showRow(entry: AuditEntry) {
  const { at, userId, userAgent, requestId, seq, subject, continues, ...row } = entry
  return {
    ...row,
    time: instant(at),
    user_id: userId,
    user_agent: userAgent,
    request_id: requestId,
    subject: subject && { ...subject, name: nameOf(subject) },
    continues: continues ?? null,
    hosts: [...row.hosts],
    fields: [...row.fields],
    values: row.values as z.input<typeof AuditRow>['values'],
    sequence: seq,
  }
}

/** The id of a stack is its name. */
const nameOf = ({ kind, id, name }: AuditSubject) => name ?? (kind === 'stacks' ? id : null)

export const auditExample = {
  id: '01977d3c-7a00-7000-8000-9a8b7c6d5e4f',
  time: '2026-06-01T12:00:00.000Z',
  action: 'stacks.deploy',
  outcome: 'succeeded' as const,
  status: 200,
  actor: 'user' as const,
  user_id: '01977d3c-7a00-7000-8000-5e6f7a8b9c0d',
  username: 'anna',
  credential: { kind: 'session' as const, id: '01977d3c-7a00-7000-8000-0d1f6a2b3c4d' },
  ip: '192.0.2.7',
  user_agent: 'curl/8.5.0',
  request_id: '5f0c2a1e9b7d4c3a',
  subject: { kind: 'stacks', id: 'shop', name: 'shop' },
  continues: null,
  hosts: ['local'],
  fields: ['environment'],
  values: { environment: 'prod' },
  count: 1,
  sequence: 42,
  mac: 'b5W0ZkQyZ3h0a2p5c2R1Zm9iYXJiYXpxdXV4MTIzNDU',
}
