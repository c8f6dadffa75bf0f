import { z } from 'zod'
import { instant } from '../../core/access/fields.ts'
import { requireSession } from '../../core/access/grant.ts'
import { lastUseOf, sessionEnd } from '../../core/access/session.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { capped } from '../../kit/reply.ts'
import { Session } from '../schema.ts'

const cap = 200

export default endpoint({
  summary: 'List your sessions',
  description: 'Lists the sessions that are still valid, most recently used first.',
  access: 'signed-in',
  returns: z.array(Session).max(cap),
  errors: { 403: 'The credential is an API token' },
  examples: {
    returns: [
      {
        id: '01977d3c-7a00-7000-8000-0d1f6a2b3c4d',
        created_at: '2026-06-01T12:00:00.000Z',
        last_used_at: '2026-06-01T12:14:00.000Z',
        ip: '203.0.113.7',
        user_agent: 'cli/0.1.0',
        current: true,
      },
    ],
  },

  async run({ caller }, ports: Needs<'sessions' | 'settings' | 'clock'>) {
    const own = requireSession(caller)
    const settings = await ports.settings.get()
    const now = ports.clock.now()
    const sessions = (await ports.sessions.listByAccount(caller.account.id))
      .filter(
        (session) => sessionEnd(session, caller.account, settings, { use: 'refresh', now }) > now,
      )
      .sort((a, b) => lastUseOf(b) - lastUseOf(a))
    const shown = sessions.map((session) => ({
      id: session.id,
      created_at: instant(session.createdAt),
      last_used_at: instant(lastUseOf(session)),
      ip: session.ip,
      user_agent: session.userAgent,
      current: session.id === own,
    }))
    return capped(shown, cap)
  },
})
