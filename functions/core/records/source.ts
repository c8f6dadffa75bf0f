import type { ActsAs } from './acts-as.ts'
import type { AgeKey, SourceAddress, SourceKeyPair } from './source-address.ts'

/**
 * A place outside of the service that has files of stacks. All of it is secret. Times are
 * milliseconds since the epoch.
 */
export interface Source extends SourceAddress {
  /** Its name. */
  id: string
  /** Seconds from one look to the next; null: only when someone asks for one. */
  lookEvery: number | null
  /** Only of git over ssh. */
  key?: SourceKeyPair | undefined
  /** Missing in records of earlier versions, until the source is saved again. */
  age?: AgeKey | undefined
  /** Whose rights its looks have. */
  actsAs: ActsAs
  /**
   * What the API token that saved it may do by a stack that follows it, if that is less than its
   * account may do; missing otherwise.
   */
  tokenRights?: string[] | undefined
  look: SourceLook
  createdAt: number
  /** When a user last changed it. */
  updatedAt: number
}

/** What the service last saw of a source. */
export interface SourceLook {
  /** When it last asked; null before the first time. */
  askedAt: number | null
  /** When the last look began. Missing in records of earlier versions. */
  beganAt?: number
  /** Null if none is planned. */
  nextAt: number | null
  /** What the reference named when a look last succeeded; null before the first time. */
  revision: string | null
  /** When a look for a hook found that; null or missing if another look did. */
  hookAt?: number | null
  /** Looks in a row that failed. */
  failures: number
  /** Why the last look failed; null if it did not. */
  problem: LookProblem | null
}

/** `reason` is a `SourceProblem`, `blocked` or `internal`; `message` is a sentence. */
export interface LookProblem {
  reason: string
  message: string
  /** The fingerprint of the key that the server has, if a person has to confirm it. */
  hostKey?: string | undefined
}
