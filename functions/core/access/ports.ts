import type { Collection, Stored, Versioned } from '../collection.ts'
import type { Account, ApiToken, Credential, SecondFactor, Session } from './account.ts'
import type { CustomRole } from './role.ts'

export interface Accounts extends Collection<Account> {
  /** Finds an account by the normal form of its user name (see `normalName`). */
  findByUsername(normalName: string): Promise<Stored<Account> | undefined>
  /** Finds an account by issuer and subject, which are unique to it. */
  findByIdentity(identity: {
    issuer: string
    subject: string
  }): Promise<Stored<Account> | undefined>
  /** Returns whether any account exists. */
  any(): Promise<boolean>
}

/** The roles that administrators made; the id of a role is its name. */
export type Roles = Collection<CustomRole>

/** Second factors by id, encrypted at rest. Only the one that an account refers to is valid. */
export type SecondFactors = Collection<SecondFactor>

/**
 * Login attempts by user name, whether or not an account has that name. core/access/lockout decides
 * on them; writes are compare-and-swap.
 */
export interface Attempts {
  read(key: string): Promise<Versioned<AttemptState>>
  /** Returns false if the version has changed. The state expires at `expiresAt`. */
  swap(key: string, version: number, next: AttemptState, expiresAt: number): Promise<boolean>
}

export interface AttemptState {
  /** Failures since the last success or unlock. */
  failed: number
  /** When each attempt that is being verified was admitted, in milliseconds since the epoch. */
  pending: number[]
  lockedUntil: number | null
}

export interface Sessions {
  find(id: string): Promise<Session | undefined>
  listByAccount(accountId: string): Promise<Session[]>
  create(session: Session): Promise<void>
  /**
   * Replaces the token of a session in one conditional write. `reused`: the presented token is not
   * the current one. `gone`: the session does not exist.
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
  /** Finds a token by its SHA-256 in hex. Every request with an API token does this read. */
  findByHash(hash: string): Promise<ApiToken | undefined>
  list(accountId?: string): Promise<ApiToken[]>
  create(token: ApiToken): Promise<void>
  /** Records a use, at most once a minute and without delaying the request. */
  touch(id: string, usedAt: number): Promise<void>
  remove(id: string): Promise<boolean>
}

/** The credential and origin that a ticket is bound to. */
export interface Ticket {
  credential: Credential
  /**
   * The `Origin` of the request that created the ticket. Only that origin may use it. Null if the
   * request had none.
   */
  origin: string | null
}

/** Single-use tickets for WebSocket upgrades, stored by the SHA-256 of the ticket, in hex. */
export interface Tickets {
  create(ticket: Ticket & { hash: string; expiresAt: number }): Promise<void>
  /**
   * Returns what a ticket is bound to and deletes the ticket in one conditional write, so that only
   * one of several concurrent calls gets it. Returns undefined for a ticket that was used, has
   * expired or never existed.
   */
  use(hash: string): Promise<Ticket | undefined>
}

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
  byApiToken(hash: string): Promise<(Identity & { apiToken: ApiToken }) | undefined>
}

/** Slow password hashes (argon2id), with limited concurrency and a bounded queue. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Without a hash it returns false after the same work, so that timing does not reveal which user
   * names exist.
   */
  verify(password: string, hash: string | null | undefined): Promise<boolean>
}

export interface AccessClaims {
  accountId: string
  sessionId: string
  /** The id of the token. */
  tokenId: string
  /** Milliseconds since the epoch. */
  issuedAt: number
  expiresAt: number
}

/** Signed access tokens (JWT, EdDSA). Verified tokens are cached until they expire. */
export interface AccessTokens {
  issue(claims: AccessClaims): Promise<string>
  /**
   * Returns undefined for a token that is malformed, expired, of another type or signed with
   * another key.
   */
  verify(token: string): Promise<AccessClaims | undefined>
}

/** The one-time right to create the first admin. */
export interface Setup {
  /** Returns whether the right is still unused. */
  open(): Promise<boolean>
  /** Returns whether the secret is the printed one and set-up has not happened yet. */
  matches(secret: string): Promise<boolean>
  /** Uses up the right for all processes. Returns false if it was used already. */
  consume(): Promise<boolean>
}
