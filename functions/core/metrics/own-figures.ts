/** Requests of one kind that a process answered. */
export interface RequestCount {
  method: string
  /** The path as the manifest has it; `none` for what no route was found for. */
  route: string
  /** 0 where the client went before it was answered. */
  status: number
  count: number
  /** All of them together. */
  seconds: number
}

/** Unhandled errors of one kind. */
export interface UnhandledCount {
  /** `rejection` or `exception`. */
  kind: string
  count: number
}

/** What is known of the process that answers. Bytes and seconds. */
export interface ProcessFigures {
  requests: readonly RequestCount[]
  unhandledErrors: readonly UnhandledCount[]
  residentBytes: number
  heapBytes: number
  cpuSeconds: number
  /** Seconds since the epoch. */
  startedAt: number
}

/** The process that answers, as far as it knows itself. */
export interface OwnProcess {
  figures(): ProcessFigures
}
