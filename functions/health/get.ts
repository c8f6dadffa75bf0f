import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'

export default endpoint({
  summary: 'Say whether the service works',
  access: 'public',
  returns: z.object({ status: z.literal('ok'), version: z.string() }),
  async run(_input, _ports: object) {
    return { status: 'ok' as const, version: '0.1.0' }
  },
})
