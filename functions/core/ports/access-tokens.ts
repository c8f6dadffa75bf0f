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
   *
   * @throws 401 for a token that was issued in the future, with the reason for the log
   */
  verify(token: string): Promise<AccessClaims | undefined>
}
