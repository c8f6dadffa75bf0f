import { z } from 'zod'
import { requireSession } from '../../core/access/grant.ts'
import { notFound } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'

export default endpoint({
  summary: 'End one of your sessions',
  access: 'signed-in',
  path: z.object({ id: z.string().max(64).describe('Id of the session') }),
  errors: { 403: 'The credential is an API token', 404: 'You have no such session' },

  async run({ path, caller }, ports: Needs<'sessions'>) {
    requireSession(caller)
    const session = await ports.sessions.find(path.id)
    if (session?.accountId !== caller.account.id) throw notFound('you have no such session')
    await ports.sessions.remove(session.id)
    return undefined
  },
})
