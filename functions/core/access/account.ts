/** A person's or a machine's account. Times are milliseconds since the epoch. */
export interface Account {
  id: string
  /** As it was typed; compared in the form that `normalName` gives. */
  username: string
  email: string | null
  role: string
  /** Host tags that the account is limited to; none means every host. */
  scopeTags: string[]
  /** Null for an account that has no password: nobody signs in to it with one. */
  passwordHash: string | null
  /** Whom an identity provider knows it as: it never changes, and no two accounts have the same. */
  identity?: { issuer: string; subject: string } | null
  disabled: boolean
  mfaEnabled: boolean
  /** The second factor that is on; while `mfaEnabled` is false, the one that is being set up. */
  secondFactorId?: string | null
  createdAt: number
  lastLoginAt: number | null
  /** Sessions begun before this instant are over: set by a password change. */
  sessionsValidFrom: number
  /** The one session that outlived that change: it was made from there. */
  keptSessionId?: string | null
}

/** What proves a second factor: the seed of codes that change every half minute, and codes for the day it is lost. */
export interface SecondFactor {
  id: string
  accountId: string
  /** 160 bits in base32. */
  secret: string
  /** The time step of the last code that was taken: neither it nor an earlier one is good any more. */
  lastStep: number
  /** SHA-256, hex, of the recovery codes that were not used yet. */
  recoveryHashes: string[]
  createdAt: number
}

/** One signed-in client: a family of refresh tokens of which the newest alone is good. */
export interface Session {
  id: string
  accountId: string
  /** SHA-256, hex, of what all its refresh tokens have in common. */
  familyHash: string
  /** SHA-256, hex, of the refresh token that is good now. */
  currentHash: string
  /** How many times it was rotated. */
  generation: number
  remember: boolean
  createdAt: number
  lastUsedAt: number
  /** After this instant the session is over, whatever happens. */
  expiresAt: number
  ip: string
  userAgent: string
}

/** A long-lived credential of an account. The token itself is never kept. */
export interface ApiToken {
  id: string
  accountId: string
  name: string
  /** The first characters of the token, shown so that people recognise it. */
  prefix: string
  /** SHA-256, hex, of the whole token. */
  hash: string
  scopeTags: string[]
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}

/**
 * A credential that was verified: what its rights are looked up by, at once or later. It opens nothing by itself.
 * Times are milliseconds since the epoch.
 */
export type Credential =
  | { kind: 'session'; sessionId: string; tokenId: string; expiresAt: number }
  | { kind: 'api_token'; tokenId: string; hash: string; expiresAt: number | null }

/** Who is calling, as the account stands now. Built for each request; nothing of it is trusted from a token. */
export interface Caller {
  account: Account
  permissions: ReadonlySet<string>
  scopeTags: readonly string[]
  credential: Credential
}
