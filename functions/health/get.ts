import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { version } from '../core/version.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Health check',
  description:
    'The service is healthy if its store responds, and if its data directory and its store accepted a write within the last 10 seconds.',
  access: 'public',
  returns: z
    .object({
      status: z.literal('ok').describe('Always `ok`: a service that is not healthy answers 500'),
      version: z.string().describe('Version of the service'),
    })
    .meta({
      id: 'Health',
      examples: [{ status: 'ok', version }],
    }),

  async run(_input, { accounts, selfCheck }: Needs<'accounts' | 'selfCheck'>) {
    await accounts.any()
    await selfCheck.writable()
    return { status: 'ok' as const, version }
  },
})
