import { z } from 'zod'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { instantOf, since } from '../kit/params.ts'
import { Reply } from '../kit/reply.ts'
import { AuditRow, auditExample, auditMax, showRow } from './schema.ts'

export default endpoint({
  summary: 'List audit rows',
  description:
    'Every change and every refused attempt, newest first. Callers with scope tags see rows about hosts in their scope and rows of their own actions.',
  access: 'audit:read',
  query: z.object({
    action: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'words separated by dots, such as stacks.deploy')
      .max(100)
      .optional()
      .describe('An action or a prefix of actions, such as `stacks`'),
    user_id: z.string().min(1).max(64).optional(),
    since,
  }),
  returns: z.array(AuditRow).max(auditMax),
  examples: { returns: [auditExample] },

  async run({ query }, { audit }: Needs<'audit'>) {
    const { rows, more } = await audit.list({
      action: query.action,
      userId: query.user_id,
      since: query.since === undefined ? undefined : instantOf(query.since),
      limit: auditMax,
    })
    const headers: Record<string, string> = more ? { 'X-Result-Truncated': 'true' } : {}
    return new Reply(rows.map(showRow), { headers })
  },
})
