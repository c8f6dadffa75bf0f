import type { Account, ApiToken, RecordedRights, Session } from '../records/account.ts'

/** An account and the permissions of its role. */
export interface Identity {
  account: Account
  permissions: ReadonlySet<string>
}

/**
 * The reads of every request: the account behind a credential, at most one second old in every
 * process.
 */
export interface Identities {
  bySession(sessionId: string): Promise<(Identity & { session: Session }) | undefined>
  byApiToken(
    hash: string,
  ): Promise<(Identity & { apiToken: ApiToken & { rights: RecordedRights } }) | undefined>
}
