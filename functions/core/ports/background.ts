/** Work that continues after the response. Shutdown waits for it. */
export interface Background {
  run(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Aborted when the service begins to shut down. */
  readonly stopping: AbortSignal
  /** Identifies this process among all that share the store. */
  readonly processId: string
}
