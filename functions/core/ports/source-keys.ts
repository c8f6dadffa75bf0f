import type { SourceKeyPair } from '../records/source-address.ts'

/** Makes and reads the keys that sign in at servers over ssh. */
export interface SourceKeys {
  /** Makes a key of ed25519. `comment` is the last word of its public part. */
  make(comment: string): Promise<SourceKeyPair>
  /**
   * Returns a key with its public part. Returns undefined if the text is no private key in the
   * format of OpenSSH or PEM, or is encrypted.
   */
  read(privateKey: string, comment: string): Promise<SourceKeyPair | undefined>
}
