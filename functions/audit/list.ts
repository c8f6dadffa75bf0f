import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RangeQuery, rangeOf } from '../kit/params.ts'
import { Reply } from '../kit/reply.ts'
import { AuditRow, auditExample, auditMax, showRow } from './schema.ts'

export default endpoint({
  summary: 'List audit rows',
  description:
    'Every change and every refused attempt, by `sequence`, newest first. Callers with scope tags see rows about hosts in their scope and rows of their own actions.',
  access: 'audit:read',
  query: RangeQuery.extend({
    action: z
      .string()
      .regex(
        /^[a-z0-9-]+(\.[a-z0-9-]+)*$/,
        'must be words separated by dots, such as stacks.deploy',
      )
      .max(100)
      .optional()
      .describe('An action or a prefix of actions, such as `stacks`'),
    user_id: z.string().min(1).max(64).optional().describe('Only rows of the user with this id'),
  }),
  returns: z.array(AuditRow).max(auditMax),
  examples: { returns: [auditExample] },

  async run({ query }, { audit }: Needs<'audit'>) {
    const { rows, more } = await audit.list({
      action: query.action,
      userId: query.user_id,
      ...rangeOf(query),
      limit: auditMax,
    })
    const headers: Record<string, string> = more ? { 'X-Result-Truncated': 'true' } : {}
    return new Reply(rows.map(showRow), { headers })
  },
})
