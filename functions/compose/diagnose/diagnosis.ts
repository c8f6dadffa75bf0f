/** A problem in the files of a stack, for an editor. Lines and columns start at 1. */
export interface Diagnostic {
  /** The path of the file in the stack. */
  path: string
  line: number
  column: number
  /** `error`: the stack cannot be saved or deployed like this by the caller. */
  severity: 'error' | 'warning'
  message: string
}

/** What is found in the files of a stack. */
export interface Diagnosis {
  /** By file, line and column. */
  problems: Diagnostic[]
  /** Whether there may be more problems. */
  isPartial: boolean
}
