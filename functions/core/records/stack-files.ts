/** Digests of a stack's texts. A deployment stores them so that it can be repeated. */
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
}
