/** A compose file that reaches outside its stack. The offending line ends in `# here`. */
export interface ForbiddenSample {
  name: string
  compose: string
  /** The path in the error message. */
  path: string
  /** No caller may use it: nothing is read from the file's location, so an admin gets 422. */
  unreadable?: true
}
