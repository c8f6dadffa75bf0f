import { requireSession } from '../../core/access/grant.ts'
import { notFound } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Session, SessionPath, sessionExample, showSession } from '../schema.ts'
import { validSessions } from './valid.ts'

export default endpoint({
  summary: 'Show one of your sessions',
  access: 'signed-in',
  path: SessionPath,
  returns: Session,
  errors: { 403: 'The credential is an API token', 404: 'You have no such session' },
  examples: { returns: sessionExample },

  async run({ path, caller }, ports: Needs<'sessions' | 'settings' | 'clock'>) {
    const own = requireSession(caller)
    const session = (await validSessions(caller.account, ports)).find(({ id }) => id === path.id)
    if (!session) throw notFound('you have no such session')
    return showSession(session, own)
  },
})
