/**
 * The loader needs the texts of files that it got only the names of. Load again with them. What was
 * found before that is not reported, because it may be wrong.
 */
export class UnreadFiles extends Error {
  /** Keys of `ComposeInput.unread`. */
  readonly paths: readonly string[]

  constructor(paths: readonly string[]) {
    super(`the loader needs the texts of ${paths.join(', ')}`)
    this.name = 'UnreadFiles'
    this.paths = paths
  }
}
