import { z } from 'zod'
import { requireEveryHost } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'

const TrimBody = z
  .strictObject({
    sequence: z.int().min(1).describe('The last row to remove'),
    mac: z
      .string()
      .min(1)
      .max(100)
      .describe('The HMAC of that row, as returned by GET /audit/export'),
  })
  .meta({ id: 'AuditTrimBody' })

export default endpoint({
  summary: 'Remove old audit rows',
  description:
    'Export the rows first: the request needs the HMAC of the last one. Rows are removed in the blocks in which they were written, so some up to `sequence` may stay. A signed checkpoint replaces them, and GET /audit/verify starts there.',
  access: 'audit:manage',
  body: TrimBody,
  returns: z.object({
    sequence: z.int().describe('The last row that was ever removed; 0 if none was'),
    removed: z.int().describe('How many rows this request removed'),
  }),
  noTimeout: true,
  errors: {
    403: 'Your credential is limited to some hosts',
    409: '`mac` is not the HMAC of that row, or a row up to there was changed',
  },
  examples: {
    body: { sequence: 42, mac: 'b5W0ZkQyZ3h0a2p5c2R1Zm9iYXJiYXpxdXV4MTIzNDU' },
    returns: { sequence: 42, removed: 42 },
  },

  async run({ body, caller }, { audit }: Needs<'audit'>) {
    requireEveryHost(caller, 'audit')
    return audit.trim(body)
  },
})
