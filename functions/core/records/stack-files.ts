/** Digests of a stack's texts, and who saved them. A deployment stores them to be repeatable. */
export interface StackFiles {
  compose: string
  /** The digest of `.env`, or null if there is none. */
  env: string | null
  /** Environment name → digest of `compose.<name>.yaml`. */
  overlays: Record<string, string>
  /**
   * Other files in records of earlier versions: path → the digest of a text, followed by `;base64`
   * if that text is the content in base64, and by `;x` if the file is executable.
   */
  others: Record<string, string>
  /** The digest of the manifest of all other files; see `storeTree`. Missing if there are none. */
  tree?: string
  /**
   * The accounts that may have written what these files refer to, the last one at the end: those
   * that saved since a deploy judged all of the files. Missing in records of earlier versions.
   */
  savedBy?: Saver[]
  /**
   * The parts of `.env`, which is made of both. Missing if the stack follows no source, or if a
   * sync has not told them apart.
   */
  envLayer?: EnvLayer
  /**
   * The variables that the stack takes from sets, as they were when the files were saved or
   * deployed. Missing if it takes no set.
   */
  shared?: SharedLayer
}

/** What a stack takes from sets of variables. */
export interface SharedLayer {
  /** The digest of the variables as JSON; see `SharedVariables`. */
  variables: string
  /** The sets in the order of the stack's list, of which a later one takes precedence. */
  sets: TakenSet[]
}

/** A set of variables as a stack took it. */
export interface TakenSet {
  name: string
  /** When its variables had last changed, in milliseconds since the epoch. */
  changedAt: number
  /** The accounts that wrote its values. */
  savedBy: Saver[]
}

/** Digests of the parts of a `.env`. */
export interface EnvLayer {
  /** The variables that are kept in the service, as a text; null if there are none. */
  own: string | null
  /** The file of the source; null if it has none, or if that is not known. */
  source: string | null
}

/** An account that saved files. `name` is for messages: another account may have it later. */
export interface Saver {
  id: string
  name: string
}
