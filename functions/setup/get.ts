import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Show whether the service is set up',
  description: 'A service without accounts waits for `POST /setup`.',
  access: 'public',
  returns: z
    .object({ is_done: z.boolean().describe('Whether the first admin exists') })
    .meta({ id: 'SetupState' }),

  async run(_input, { setup, accounts }: Needs<'setup' | 'accounts'>) {
    return { is_done: !(await setup.open()) || (await accounts.any()) }
  },
})
