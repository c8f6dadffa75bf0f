/** An account of a person or a machine. Times are in milliseconds since the epoch. */
export interface Account {
  id: string
  /** As the user typed it. Compare names in the form that `normalName` returns. */
  username: string
  email: string | null
  role: string
  /** Host tags that limit the account; an empty list means every host. */
  scopeTags: string[]
  /** Null if the account has no password, so that nothing passes the password check. */
  passwordHash: string | null
  /** The account at an identity provider. It never changes and is unique among all accounts. */
  identity?: { issuer: string; subject: string } | null
  disabled: boolean
  mfaEnabled: boolean
  /** The active second factor or, while `mfaEnabled` is false, the one that is being set up. */
  secondFactorId?: string | null
  /** The passkeys of the account. None if null or undefined. */
  passkeySetId?: string | null
  createdAt: number
  lastLoginAt: number | null
  /**
   * Sessions created before this instant have ended. Set by a change that ends sessions, such as a
   * new password.
   */
  sessionsValidFrom: number
  /** The one session that such a change leaves open: the one that made the change. */
  keptSessionId?: string | null
  /**
   * API tokens of an earlier series have ended. Raised by a change that ends them, such as a reset
   * of the password. 0 if undefined.
   */
  tokenSeries?: number
}

/**
 * A second factor: the seed of codes that change every 30 s, and recovery codes for when the seed
 * is lost.
 */
export interface SecondFactor {
  id: string
  accountId: string
  /** 160 bits in base32. */
  secret: string
  /** The time step of the last accepted code. Codes of this step or an earlier one are rejected. */
  lastStep: number
  /** SHA-256 hashes, in hex, of the unused recovery codes. */
  recoveryHashes: string[]
  createdAt: number
}

/** A signed-in client: a family of refresh tokens, of which only the newest is valid. */
export interface Session {
  id: string
  accountId: string
  /** SHA-256, in hex, of the secret that all refresh tokens of the session share. */
  familyHash: string
  /** SHA-256, in hex, of the valid refresh token. */
  currentHash: string
  /** The number of times that the refresh token was rotated. */
  generation: number
  remember: boolean
  createdAt: number
  /** When the session began or was last refreshed. */
  lastUsedAt: number
  /**
   * When a person last used a page of a browser session. Missing for other clients, of which each
   * refresh is use, and in browser sessions of earlier versions before their next refresh.
   */
  activeAt?: number
  /** The session ends at this instant even while it is in use. */
  expiresAt: number
  ip: string
  userAgent: string
}

/**
 * The most that an API token may do: what its account could when the token was made. So the token
 * does not gain rights with its account.
 */
export interface RecordedRights {
  role: string
  /** Null if the role is built in: each release says what such a role permits. */
  permissions: string[] | null
  scopeTags: string[]
}

/** A long-lived credential of an account. The token itself is never stored. */
export interface ApiToken {
  id: string
  accountId: string
  name: string
  /** The first characters of the token, shown so that users recognise it. */
  prefix: string
  /** SHA-256, in hex, of the whole token. */
  hash: string
  /** The `tokenSeries` of its account when it was made. 0 if undefined. */
  series?: number
  /** Undefined until the first use of a token from before rights were recorded. */
  rights?: RecordedRights
  scopeTags: string[]
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
}

/**
 * A verified credential, by which the rights of a caller can be looked up now or later. It grants
 * nothing on its own. Times are in milliseconds since the epoch.
 */
export type Credential =
  | { kind: 'session'; sessionId: string; tokenId: string; expiresAt: number }
  | { kind: 'api_token'; tokenId: string; hash: string; expiresAt: number | null }

/**
 * The caller of a request, with the account as it is now. It is built for each request from the
 * stored records; no right is taken from the token itself. A response that is kept for an
 * `Idempotency-Key` is sent again only to the same credential with the same rights.
 */
export interface Caller {
  account: Account
  permissions: ReadonlySet<string>
  scopeTags: readonly string[]
  credential: Credential
}
