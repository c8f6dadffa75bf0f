export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after that many milliseconds, or at once when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export interface Random {
  bytes(count: number): Uint8Array
  /** A UUIDv7: sorts by the time it was made. */
  id(): string
}

/** Work that goes on after the answer. It is waited for when the service shuts down. */
export interface Background {
  run(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Names this process among all that share the store. */
  readonly processId: string
}

export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** Where people find the service. */
export interface Site {
  /** Its address without a slash at the end; null when none is configured. */
  readonly baseUrl: string | null
}
