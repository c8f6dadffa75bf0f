/** The compose files of one model, and the files whose includes led here. */
export interface ModelSource {
  /** Absolute paths on the host, in merge order. */
  composeFiles: readonly string[]
  including: readonly string[]
}
