import { requireSession } from '../../core/access/grant.ts'
import { notFound } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { SessionPath } from '../schema.ts'

export default endpoint({
  summary: 'End one of your sessions',
  access: 'signed-in',
  path: SessionPath,
  errors: { 403: 'The credential is an API token', 404: 'You have no such session' },

  async run({ path, caller }, ports: Needs<'sessions'>) {
    requireSession(caller)
    const session = await ports.sessions.find(path.id)
    if (session?.accountId !== caller.account.id) throw notFound('you have no such session')
    await ports.sessions.remove(session.id)
    return undefined
  },
})
