/** The requests of one kind that a process answered. */
export interface RequestCount {
  method: string
  /** The path as in the manifest; `none` if no route matched. */
  route: string
  /** 0 if the client disconnected before the response. */
  status: number
  count: number
  /** The duration of all these requests together. */
  seconds: number
}

/** The number of unhandled errors of one kind. */
export interface UnhandledCount {
  /** `rejection` or `exception`. */
  kind: string
  count: number
}

/** The figures of the process that answers. Bytes and seconds. */
export interface ProcessFigures {
  requests: readonly RequestCount[]
  unhandledErrors: readonly UnhandledCount[]
  residentBytes: number
  heapBytes: number
  cpuSeconds: number
  /** Seconds since the epoch. */
  startedAt: number
}

/** The process that answers, as far as it can measure itself. */
export interface OwnProcess {
  figures(): ProcessFigures
}
