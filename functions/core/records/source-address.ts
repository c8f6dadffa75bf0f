/** What a source of stacks can be. */
export const sourceKinds = ['oci', 'git'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** How a registry, or git over https, is read: a user name and a password or token. */
export interface SourceAccount {
  username: string
  password: string
}

/** A private key without a passphrase, in the format of OpenSSH or PEM. */
export interface SourceKey {
  privateKey: string
}

/** A key with its public part, as one line that servers take. */
export interface SourceKeyPair extends SourceKey {
  publicKey: string
}

/** What decrypts files of a source that sops encrypted. */
export interface AgeKey {
  /** `AGE-SECRET-KEY-1…` */
  identity: string
  /** Whom files are encrypted for: `age1…`. */
  recipient: string
}

/** Where a source is, and how it is read. All of it may be secret. */
export interface SourceAddress {
  kind: SourceKind
  /**
   * Such as `oci://registry.example.org/team/shop` or `https://forge.example.org/ada/estate.git`;
   * without a password.
   */
  url: string
  /** Such as a branch, a tag or a digest. */
  ref: string
  account?: SourceAccount | undefined
  /** Signs in over ssh. */
  key?: SourceKey | undefined
  /** The fingerprint of the server's key: `SHA256:…`. For ssh. */
  hostKey?: string | undefined
  /** Certificates in PEM that are trusted instead of those of the system. For https. */
  certificateAuthority?: string | undefined
}

/** The most that is read of a source. */
export interface SourceLimits {
  /** Bytes of all files that are read. */
  bytes: number
  /** Bytes of one file. */
  fileBytes: number
  files: number
}
