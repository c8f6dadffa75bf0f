import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Sessions } from '../../../functions/core/ports/sessions.ts'
import type { Session } from '../../../functions/core/records/account.ts'

/** Returns an in-memory store of sessions. An expired session is not found. */
export function memorySessions(clock: Clock): Sessions {
  const sessions = new Map<string, Session>()
  const live = (id: string) => {
    const session = sessions.get(id)
    return session && session.expiresAt > clock.now() ? session : undefined
  }
  const ofAccount = (accountId: string) =>
    [...sessions.values()]
      .filter((session) => session.accountId === accountId && live(session.id))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  return {
    async find(id) {
      return structuredClone(live(id))
    },
    async listByAccount(accountId) {
      return structuredClone(ofAccount(accountId))
    },
    async create(session) {
      sessions.set(session.id, structuredClone(session))
    },
    async rotate(id, presentedHash, nextHash, { usedAt, activeAt }) {
      const session = live(id)
      if (!session) return { outcome: 'gone' }
      if (session.currentHash !== presentedHash) return { outcome: 'reused' }
      session.currentHash = nextHash
      session.generation += 1
      session.lastUsedAt = usedAt
      if (activeAt !== undefined) session.activeAt = activeAt
      return { outcome: 'rotated', session: structuredClone(session) }
    },
    async remove(id) {
      sessions.delete(id)
    },
    async removeByAccount(accountId, except) {
      for (const { id } of ofAccount(accountId)) if (id !== except) sessions.delete(id)
    },
  }
}
