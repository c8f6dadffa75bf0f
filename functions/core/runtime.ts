export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Milliseconds since some moment of this process. Never jumps, and stands still while the machine
   * is suspended: for how long something took, never for when it happened.
   */
  monotonic(): number
  /** Resolves after this time, or at once if the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export interface Random {
  bytes(count: number): Uint8Array
  /** Returns a UUIDv7, which sorts by creation time. */
  id(): string
}

/** Work that continues after the response. Shutdown waits for it. */
export interface Background {
  run(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Identifies this process among all that share the store. */
  readonly processId: string
}

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** The public address of the service. */
export interface Site {
  /** The base URL without a trailing slash; null if none is configured. */
  readonly baseUrl: string | null
}
