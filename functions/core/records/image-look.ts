/** How an image compares with the one that its tag has in the registry. */
export type Comparison = 'same' | 'newer' | 'no image for its platform'

/** How an image of a host compares with a digest of its tag. */
export interface ComparedImage {
  digest: string
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

/** How much newer a version is: which of its numbers is the first that differs. */
export const versionChanges = ['major', 'minor', 'patch'] as const
export type VersionChange = (typeof versionChanges)[number]

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
  /** When the registry is asked again. */
  nextAt: number
  /** Null if the last look succeeded. */
  problem: LookProblem | null
  /** The ID of an image → how it compares. Without an entry its digest is compared alone. */
  compared: Record<string, ComparedImage>
  /** Tags of newer versions. Missing if that is not known. */
  newerTags?: NewerTag[]
  /** When a stack last used the tag, to the hour. */
  usedAt: number
}
