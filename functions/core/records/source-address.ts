/** What a source of stacks can be. */
export const sourceKinds = ['oci'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** How a source is read: a user name and a password or token. */
export interface SourceAccount {
  username: string
  password: string
}

/** Where a source is, and how it is read. All of it may be secret. */
export interface SourceAddress {
  kind: SourceKind
  /** Such as `oci://registry.example.org/team/shop`; without a user name or password. */
  url: string
  /** Such as a tag or a digest. */
  ref: string
  account?: SourceAccount | undefined
}

/** The most that is read of a source. */
export interface SourceLimits {
  /** Bytes of all files that are read. */
  bytes: number
  /** Bytes of one file. */
  fileBytes: number
  files: number
}
