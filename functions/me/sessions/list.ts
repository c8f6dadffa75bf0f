import { z } from 'zod'
import { requireSession } from '../../core/access/grant.ts'
import { lastUseOf } from '../../core/access/session.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { capped } from '../../kit/reply.ts'
import { Session, sessionExample, showSession } from '../schema.ts'
import { validSessions } from './valid.ts'

const cap = 200

export default endpoint({
  summary: 'List your sessions',
  description: 'Lists the sessions that are still valid, most recently used first.',
  access: 'signed-in',
  returns: z.array(Session).max(cap),
  errors: { 403: 'The credential is an API token' },
  examples: { returns: [sessionExample] },

  async run({ caller }, ports: Needs<'sessions' | 'settings' | 'clock'>) {
    const own = requireSession(caller)
    const sessions = (await validSessions(caller.account, ports)).sort(
      (a, b) => lastUseOf(b) - lastUseOf(a),
    )
    return capped(
      sessions.map((session) => showSession(session, own)),
      cap,
    )
  },
})
