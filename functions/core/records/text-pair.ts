/** A file before and after a change. At least one side exists. */
export interface TextPair {
  path: string
  before: TextSide | null
  after: TextSide | null
}

/** The content of a file, or the target of a link. */
export interface TextSide {
  text: string
  /** The mode as Git writes it, such as `100644`; null if it is not known. */
  mode: string | null
}
