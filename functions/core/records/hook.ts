import type { ActsAs } from './acts-as.ts'

/**
 * A web address of a stack or a source, for programs elsewhere: a request to it with the right
 * secret has work begin. All of it is secret. Times are milliseconds since the epoch.
 */
export interface Hook {
  /** The name of what has it, which has at most one. */
  id: string
  /** The last part of the address, which is hard to guess. */
  address: string
  secret: string
  /** Whose rights its work has. */
  actsAs: ActsAs
  createdAt: number
  /** When the first request came that waits for its work; null if none waits. */
  askedAt: number | null
  /**
   * When the requests were taken whose work is about to begin; null if there are none. Those that
   * come after that wait for the next time. Missing in records of earlier versions.
   */
  takenAt?: number | null
  /**
   * When a request with the right secret came; null before the first. While one waits, recorded at
   * most every 10 seconds.
   */
  acceptedAt: number | null
  /** Recorded at most every 10 seconds. */
  lastRefused: RefusedRequest | null
}

/** Why a request to a hook is refused. */
export const hookRefusals = ['no_secret', 'wrong_secret', 'too_large', 'incomplete'] as const
export type HookRefusal = (typeof hookRefusals)[number]

/** A request to the address of a hook without the right secret. */
export interface RefusedRequest {
  at: number
  reason: HookRefusal
}
