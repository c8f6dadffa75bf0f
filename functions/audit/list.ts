import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { nextHeader, RangeQuery, rangeOf } from '../kit/params.ts'
import { cutAt } from '../kit/reply.ts'
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
    before: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a `sequence`')
      .transform(Number)
      .optional()
      .meta({
        type: 'integer',
        description:
          'Only rows before the one with this `sequence`, even if that one was removed. Where the list was cut (`X-Result-Truncated`), the `sequence` of its last row returns the next part, as `Link` does. A change that ends meanwhile moves to the beginning of the list',
      }),
    user_id: z.string().min(1).max(64).optional().describe('Only rows of the user with this id'),
  }),
  returns: z.array(AuditRow).max(auditMax),
  responseHeaders: nextHeader,
  examples: { returns: [auditExample] },

  async run({ query }, { audit }: Needs<'audit'>) {
    const { before, ...range } = query
    const { rows, next } = await audit.list({
      action: query.action,
      userId: query.user_id,
      ...rangeOf(range),
      before,
      limit: auditMax,
    })
    const shown = rows.map(showRow)
    return next === undefined ? shown : cutAt(shown, String(next))
  },
})
