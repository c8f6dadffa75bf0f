import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import type { AuditEntry } from '../core/audit/ports.ts'

/** Most rows that a list returns. */
export const auditMax = 1000

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

export const AuditRow = z
  .object({
    id: z.string(),
    time: Instant,
    action: z
      .string()
      .describe('`<resource>.<verb>`, derived from the path, such as `stacks.deploy`'),
    outcome: z
      .enum(['begun', 'succeeded', 'failed', 'refused'])
      .describe('`begun`: still running, or the process died while it ran'),
    status: z.int().nullable().describe('The status of the response'),
    actor: z
      .enum(['user', 'service', 'nobody'])
      .describe('The actor: a user, the service itself in the background, or an unknown caller'),
    user_id: z.string().nullable(),
    username: z.string().nullable(),
    credential: z.object({ kind: z.enum(['session', 'api_token']), id: z.string() }).nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    request_id: z.string().nullable().describe('The same as in X-Request-Id and in the log'),
    subject: z.object({ kind: z.string(), id: z.string() }).nullable(),
    hosts: z.array(z.string()).describe('Ids of the hosts that were affected'),
    fields: z.array(z.string()).describe('Names of the fields in the request'),
    values: z
      .record(z.string(), value)
      .describe('Values of the fields that cannot contain a secret'),
    count: z.int().describe('How many attempts the row stands for: repeated refusals are counted'),
    sequence: z.int().describe('The position of the row in the chain'),
    mac: z.string().describe('The HMAC that links the row to the previous one'),
  })
  .meta({ id: 'AuditRow' })

export const AuditVerdict = z
  .object({
    ok: z.boolean(),
    rows: z.int().describe('How many rows were read; a change has two: start and end'),
    head: z.object({ sequence: z.int(), mac: z.string() }).nullable().describe('The newest row'),
    problems: z
      .array(
        z.object({
          kind: z.enum(['changed', 'missing', 'inserted', 'replaced']),
          from: z.int().describe('The sequence number of the first affected row'),
          to: z.int(),
          id: z.string().nullable().describe('The id of the affected row, if it is one row'),
        }),
      )
      .max(100)
      .describe('In the order of the rows'),
    checkpoint: z
      .object({ sequence: z.int(), time: Instant })
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
    seq: z.int(),
    prev: z.string().describe('The HMAC of the previous row'),
    mac: z.string().describe('The HMAC of this row'),
    latest: z
      .number()
      .describe(
        'The latest time of this row and all rows before it, in milliseconds since the epoch',
      ),
    key: z.string().describe('The id of the key of the HMAC'),
    row: z.record(z.string(), z.unknown()).describe('The row as it was recorded'),
  })
  .meta({ id: 'AuditLink' })

/** Returns a row in the API's form. */
export function showRow({ at, userId, userAgent, requestId, seq, ...row }: AuditEntry) {
  return {
    ...row,
    time: instant(at),
    user_id: userId,
    user_agent: userAgent,
    request_id: requestId,
    hosts: [...row.hosts],
    fields: [...row.fields],
    values: row.values as z.input<typeof AuditRow>['values'],
    sequence: seq,
  }
}

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
  subject: { kind: 'stacks', id: 'shop' },
  hosts: ['local'],
  fields: ['environment'],
  values: { environment: 'prod' },
  count: 1,
  sequence: 42,
  mac: 'b5W0ZkQyZ3h0a2p5c2R1Zm9iYXJiYXpxdXV4MTIzNDU',
}
