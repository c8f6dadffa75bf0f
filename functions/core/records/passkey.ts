/** A passkey: the public half of a key pair whose private half never leaves its authenticator. */
export interface Passkey {
  id: string
  /** By which the authenticator knows it. In base64url; unique among the passkeys of an account. */
  credentialId: string
  /** The public key as COSE, in base64url. */
  publicKey: string
  /** How often the authenticator says that it was used; always 0 for those that do not count. */
  counter: number
  /** As the user typed it. */
  name: string
  /** Whether the authenticator says that it is backed up, such as to other devices of the user. */
  isSynced: boolean
  /** Milliseconds since the epoch. */
  createdAt: number
  /** Milliseconds since the epoch. */
  lastUsedAt: number | null
}

/**
 * The passkeys of an account, in one record, so that one conditional write limits their number and
 * counts a use. A record that no account names is void.
 */
export interface PasskeySet {
  id: string
  accountId: string
  passkeys: Passkey[]
}
