/** How an image compares with the one that its tag has in the registry. */
export type Comparison = 'same' | 'newer' | 'no image for its platform'

/** How an image of a host compares with the digest of its tag. */
export interface ComparedImage {
  result: Comparison
  /** The page of its source or releases, by its labels; null if they have none. */
  source: string | null
}

/** Why a registry did not say what a tag has. */
export type LookProblem =
  /** It takes no requests until the next look. */
  | { kind: 'limited'; left: { remaining: number; limit: number } | null }
  /** It has no such tag. */
  | { kind: 'missing' }
  /** `text` says what failed, for users. */
  | { kind: 'failed'; text: string }

/** A registry that is not asked until a time, in milliseconds since the epoch. */
export interface ClosedRegistry {
  until: number
  problem: LookProblem
}

/** How much newer a version is: which of its numbers is the first that differs. */
export const versionChanges = ['major', 'minor', 'patch'] as const
export type VersionChange = (typeof versionChanges)[number]

/** A line of a file of a stack. */
export interface FileLine {
  /** Its path in the directory of the stack. */
  file: string
  /** From 1. */
  line: number
  text: string
}

/** A tag of a newer version. */
export interface NewerTag {
  tag: string
  change: VersionChange
}

/**
 * What a registry said of a tag, and how images that run compare with it. Times are milliseconds
 * since the epoch.
 */
export interface ImageLook {
  /** The name in its normal form, such as `docker.io/library/nginx:1.29`. */
  id: string
  /** The digest that the tag last had; null if it is not known. */
  digest: string | null
  /** When this service first saw that digest. */
  seenAt: number | null
  /** When the registry last said what the tag has. */
  checkedAt: number | null
  /** When the registry was last asked, whether or not it answered. */
  askedAt: number | null
  /** When the registry is asked again. */
  nextAt: number
  /** Null if the last look succeeded. */
  problem: LookProblem | null
  /**
   * Host and ID of an image → how it compares with `digest`; see `comparedKey`. Without an entry
   * its digest is compared alone. An ID can stand for several platforms on several hosts.
   */
  compared: Record<string, ComparedImage>
  /** Stack → the digest that was reported as newer for it. */
  reported?: Record<string, string>
  /** The answer says that the registry is not to be asked until a time. Missing if it does not. */
  closes?: ClosedRegistry
  /** Tags of newer versions. Missing if that is not known. */
  newerTags?: NewerTag[]
  /** When a stack last used the tag, to the hour. */
  usedAt: number
}

/** Returns the key of an image of a host in `compared`. */
export const comparedKey = (hostId: string, imageId: string): string => `${hostId} ${imageId}`
