import type { AgeKey, SourceKeyPair } from '../records/source-address.ts'

/** Makes and reads the keys of sources. */
export interface SourceKeys extends SshKeys, AgeKeys {}

/** Makes and reads the keys that sign in at servers over ssh. */
export interface SshKeys {
  /** Makes a key of ed25519. `comment` is the last word of its public part. */
  make(comment: string): Promise<SourceKeyPair>
  /**
   * Returns a key with its public part. Returns undefined if the text is no private key in the
   * format of OpenSSH or PEM, or is encrypted.
   */
  read(privateKey: string, comment: string): Promise<SourceKeyPair | undefined>
}

/** Makes and reads the keys that decrypt files of sources (age-encryption.org/v1, X25519). */
export interface AgeKeys {
  makeAge(): Promise<AgeKey>
  /**
   * Returns the key in an identity file of age, or in a line of one. Returns undefined if it has
   * none, several or one of another kind.
   */
  readAge(identityFile: string): Promise<AgeKey | undefined>
  /**
   * Returns the content of a small file in the armor of age. Returns undefined if it is damaged, or
   * encrypted for other keys.
   */
  decryptAge(armored: string, identity: string): Promise<Uint8Array | undefined>
}
