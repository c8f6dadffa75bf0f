import { z } from 'zod'
import type { Needs } from '../core/ports.ts'
import { version } from '../core/version.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Say whether the service works',
  description: 'It does when its store answers.',
  access: 'public',
  returns: z.object({ status: z.literal('ok'), version: z.string() }).meta({
    id: 'Health',
    examples: [{ status: 'ok', version }],
  }),

  async run(_input, { accounts }: Needs<'accounts'>) {
    await accounts.any()
    return { status: 'ok' as const, version }
  },
})
