/** What a program was built from. */
export interface Build {
  version: string
  /** Null if it is unknown. */
  commit: string | null
}

/** Returns whether two programs were built from different versions, as far as that is known. */
export const isOtherBuild = (one: Build, other: Build): boolean =>
  one.version !== other.version ||
  (one.commit !== null && other.commit !== null && one.commit !== other.commit)
