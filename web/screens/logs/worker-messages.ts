/** Lines to search, without escape sequences. */
export interface SearchRequest {
  id: number
  pattern: string
  flags: string
  /** The sequence number of the first text. */
  from: number
  texts: string[]
}

export interface SearchReply {
  id: number
  /** The sequence numbers of the lines that match. */
  found: number[]
}
