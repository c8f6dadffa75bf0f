import type { ServiceProcess } from '../records/installation.ts'

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

/** The number of ignored errors of one kind of work. */
export interface IgnoredCount {
  work: string
  count: number
}

/** The figures of the process that responds. Bytes and seconds. */
export interface ProcessFigures {
  requests: readonly RequestCount[]
  unhandledErrors: readonly UnhandledCount[]
  ignoredErrors: readonly IgnoredCount[]
  residentBytes: number
  heapBytes: number
  cpuSeconds: number
  /** Seconds since the epoch. */
  startedAt: number
}

/** The process that responds, as far as it knows itself. */
export interface OwnProcess {
  /** Where it runs. */
  readonly place: Readonly<ServiceProcess>
  figures(): ProcessFigures
}
