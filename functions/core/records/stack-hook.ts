import type { ActsAs } from './acts-as.ts'

/**
 * A web address of a stack: a request to it with the right secret deploys the stack. All of it is
 * secret. Times are milliseconds since the epoch.
 */
export interface StackHook {
  /** The name of the stack: it has at most one hook. */
  id: string
  /** The last part of the address, which is hard to guess. */
  address: string
  secret: string
  /** Whose rights its deployments have. */
  actsAs: ActsAs
  createdAt: number
  /** When the first request came that waits for a deployment; null if none waits. */
  askedAt: number | null
  /**
   * When the first request came whose deployment is about to begin; null if there is none. Those
   * that come after it was taken wait for the next one. Missing in records of earlier versions.
   */
  takenAt?: number | null
  /**
   * When a request with the right secret came; null before the first. While one waits, recorded at
   * most every 10 seconds.
   */
  acceptedAt: number | null
  /** Recorded at most every 10 seconds. */
  lastRefused: RefusedRequest | null
  lastDeployment: HookDeployment | null
}

/** Why a request to a hook is refused. */
export const hookRefusals = ['no_secret', 'wrong_secret', 'too_large', 'incomplete'] as const
export type HookRefusal = (typeof hookRefusals)[number]

/** A request to the address of a hook without the right secret. */
export interface RefusedRequest {
  at: number
  reason: HookRefusal
}

/** What followed a request with the right secret. */
export interface HookDeployment {
  at: number
  /** Null if none began. */
  deploymentId: string | null
  /** Why none began, as a sentence without a full stop; otherwise null. */
  error: string | null
}
