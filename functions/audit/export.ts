import { z } from 'zod'
import { requireEveryHost } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { instantOf, since } from '../kit/params.ts'
import { AuditLink, auditExample, exportMax } from './schema.ts'

export default endpoint({
  summary: 'Export audit rows',
  description:
    'Returns audit rows as they are in the chain, oldest first, with everything that their HMACs cover. A page has at most 500 rows: pass the `seq` of the last one as `after` until the list is empty.',
  access: 'audit:read',
  query: z.object({
    after: z.coerce
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(0)
      .meta({ type: 'integer', minimum: 0, default: 0 })
      .describe('Only rows after this one: the `seq` of the last row that you have'),
    before: since.describe('Only rows before this time: RFC 3339, or seconds since the epoch'),
  }),
  returns: z.array(AuditLink).max(exportMax),
  errors: { 403: 'Your credential is limited to some hosts' },
  examples: {
    returns: [
      {
        seq: 42,
        prev: 'cHJldmlvdXM',
        mac: auditExample.mac,
        latest: 1780315200000,
        key: '1',
        row: { id: auditExample.id, at: 1780315200000, action: auditExample.action },
      },
    ],
  },

  async run({ query, caller }, { audit }: Needs<'audit'>) {
    requireEveryHost(caller, 'audit')
    const before = query.before === undefined ? Number.POSITIVE_INFINITY : instantOf(query.before)
    const rows = await audit.exportAfter(query.after, before, exportMax)
    return rows.map(({ row, ...link }) => ({ ...link, row: { ...row } }))
  },
})
