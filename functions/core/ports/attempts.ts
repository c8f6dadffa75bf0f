import type { Versioned } from './collection.ts'

/**
 * Login attempts by account. All names without an account share a fixed number of keys.
 * core/access/lockout decides on them; writes are compare-and-swap.
 */
export interface Attempts {
  read(key: string): Promise<Versioned<AttemptState>>
  /** Returns false if the version has changed. The state expires at `expiresAt`. */
  swap(key: string, version: number, next: AttemptState, expiresAt: number): Promise<boolean>
}

export interface AttemptState {
  /** Failures since the last success or unlock. */
  failed: number
  /** When each attempt that is being verified was admitted, in milliseconds since the epoch. */
  pending: number[]
  lockedUntil: number | null
}
