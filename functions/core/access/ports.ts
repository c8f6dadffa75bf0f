import type { Collection, Stored, Versioned } from '../collection.ts'
import type { Account, ApiToken, Credential, SecondFactor, Session } from './account.ts'
import type { CustomRole } from './role.ts'

export interface Accounts extends Collection<Account> {
  /** By the normal form of the user name (see `normalName`). */
  findByUsername(normalName: string): Promise<Stored<Account> | undefined>
  /** By issuer and subject, which no two accounts share. */
  findByIdentity(identity: {
    issuer: string
    subject: string
  }): Promise<Stored<Account> | undefined>
  /** True once any account exists. */
  any(): Promise<boolean>
}

/** The roles that administrators made, under their names. */
export type Roles = Collection<CustomRole>

/** Second factors by id, encrypted at rest. An account names the one that counts: any other is worth nothing. */
export type SecondFactors = Collection<SecondFactor>

/** Login attempts of an account, or of a name that belongs to none. Decided by core/access/lockout, swapped atomically. */
export interface Attempts {
  read(key: string): Promise<Versioned<AttemptState>>
  /** False when another swapped first. Gone by itself at `expiresAt`. */
  swap(key: string, version: number, next: AttemptState, expiresAt: number): Promise<boolean>
}

export interface AttemptState {
  /** Verified failures since the last success or unlock. */
  failed: number
  /** When each attempt that is being verified was let in, in milliseconds. */
  pending: number[]
  lockedUntil: number | null
}

export interface Sessions {
  find(id: string): Promise<Session | undefined>
  listByAccount(accountId: string): Promise<Session[]>
  create(session: Session): Promise<void>
  /**
   * Replaces the token of a session in one conditional write. `reused`: the presented token is not the current one.
   * `gone`: there is no such session.
   */
  rotate(
    id: string,
    presentedHash: string,
    nextHash: string,
    usedAt: number,
  ): Promise<{ outcome: 'rotated'; session: Session } | { outcome: 'reused' | 'gone' }>
  remove(id: string): Promise<void>
  removeByAccount(accountId: string, except?: string): Promise<void>
}

export interface ApiTokens {
  find(id: string): Promise<ApiToken | undefined>
  /** By SHA-256, hex, of the token: the read of every request that carries one. */
  findByHash(hash: string): Promise<ApiToken | undefined>
  list(accountId?: string): Promise<ApiToken[]>
  create(token: ApiToken): Promise<void>
  /** Records the use, at most once a minute and without keeping the request waiting. */
  touch(id: string, usedAt: number): Promise<void>
  remove(id: string): Promise<boolean>
}

/** What a ticket is bound to. */
export interface Ticket {
  credential: Credential
  /**
   * The `Origin` of the request that created it, which is the only one that may use it; null if it
   * had none.
   */
  origin: string | null
}

/** Tickets for one upgrade each, known by the SHA-256, hex, of their text. */
export interface Tickets {
  create(ticket: Ticket & { hash: string; expiresAt: number }): Promise<void>
  /**
   * Returns what a ticket is bound to, for exactly one of all who present it: it is deleted by its
   * use, in one conditional write. Nothing for one that was used, expired or never made.
   */
  use(hash: string): Promise<Ticket | undefined>
}

/** An account, and what its role allows. */
export interface Identity {
  account: Account
  permissions: ReadonlySet<string>
}

/** The reads of every request: who a credential stands for, as it is now. At most one second old, in every process. */
export interface Identities {
  bySession(sessionId: string): Promise<(Identity & { session: Session }) | undefined>
  byApiToken(hash: string): Promise<(Identity & { apiToken: ApiToken }) | undefined>
}

/** Slow hashes of passwords (argon2id), few at a time, in a bounded queue. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** With no hash it works as long as with one and answers false: unknown names take the same time. */
  verify(password: string, hash: string | null | undefined): Promise<boolean>
}

export interface AccessClaims {
  accountId: string
  sessionId: string
  /** The token's own id. */
  tokenId: string
  /** Milliseconds. */
  issuedAt: number
  expiresAt: number
}

/** Signed access tokens (JWT, EdDSA). A verified one is remembered until it expires. */
export interface AccessTokens {
  issue(claims: AccessClaims): Promise<string>
  /** Nothing for a token that is malformed, expired, of another kind or signed by another key. */
  verify(token: string): Promise<AccessClaims | undefined>
}

/** The one-time right to make the first admin. */
export interface Setup {
  /** True until the right was used. */
  open(): Promise<boolean>
  /** True when the secret is the one that was printed and no set-up has happened. */
  matches(secret: string): Promise<boolean>
  /** Ends the right, once and for all processes: false when somebody was faster. */
  consume(): Promise<boolean>
}
