import type { Session } from '../records/account.ts'

export interface Sessions {
  find(id: string): Promise<Session | undefined>
  listByAccount(accountId: string): Promise<Session[]>
  create(session: Session): Promise<void>
  /**
   * Replaces the token of a session in one conditional write, and records when that was and, if
   * given, when a person last used it. Milliseconds since the epoch. `reused`: the presented token
   * is not the current one, even if the next one is. `gone`: the session does not exist.
   */
  rotate(
    id: string,
    presentedHash: string,
    nextHash: string,
    times: { usedAt: number; activeAt?: number },
  ): Promise<{ outcome: 'rotated'; session: Session } | { outcome: 'reused' | 'gone' }>
  remove(id: string): Promise<void>
  removeByAccount(accountId: string, except?: string): Promise<void>
}
