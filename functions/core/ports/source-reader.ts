import { Failure, type FailureStatus, type Reason } from '../errors.ts'
import type { SourceAddress, SourceLimits } from '../records/source-address.ts'

/**
 * Why a source cannot be read. `unreachable`: it does not respond, or fails. `denied`: it refuses
 * the account. `not-allowed`: its address must not be dialed. `host-key-unknown`: a person has not
 * confirmed the server's key yet. `limited`: it takes no requests for now. `malformed`: it has
 * something that is no source. `not-decrypted`: it has an encrypted file that cannot be decrypted.
 * `unavailable`: this service cannot read sources of this kind.
 */
export const sourceProblems = [
  'unreachable',
  'denied',
  'no-such-ref',
  'no-such-folder',
  'too-large',
  'not-allowed',
  'host-key-unknown',
  'host-key-changed',
  'malformed',
  'not-decrypted',
  'limited',
  'unavailable',
] as const
export type SourceProblem = (typeof sourceProblems)[number]

/** Those that pass without a change of the source or of what the service knows of it. */
const passing: ReadonlySet<SourceProblem> = new Set(['unreachable', 'limited'])

interface SourceFailureDetails {
  retryAfter?: number | undefined
  hostKey?: string | undefined
  cause?: unknown
}

/** A source cannot be read. The message says where, what, and the way out. */
export class SourceFailure extends Failure {
  readonly problem: SourceProblem
  /** For how many seconds it is not to be asked; undefined if it does not say. */
  readonly retryAfter: number | undefined
  /** The fingerprint of the key that the server has, if that has to be confirmed: `SHA256:…`. */
  readonly hostKey: string | undefined

  constructor(
    problem: SourceProblem,
    message: string,
    { retryAfter, hostKey, cause }: SourceFailureDetails = {},
  ) {
    super(statusOf(problem), message, { reason: reasonOf(problem), cause })
    this.name = 'SourceFailure'
    this.problem = problem
    this.retryAfter = retryAfter
    this.hostKey = hostKey
  }
}

const statusOf = (problem: SourceProblem): FailureStatus => (passing.has(problem) ? 500 : 422)
const reasonOf = (problem: SourceProblem): Reason =>
  passing.has(problem) ? 'source-unreachable' : 'source-refused'

/** Reads sources of stacks over the network, under the outbound network policy. */
export interface SourceReader {
  /**
   * Returns what the reference names now: the digest of an artifact. One request, besides those
   * for an authorization.
   *
   * @throws SourceFailure
   */
  look(source: SourceAddress, signal: AbortSignal): Promise<{ revision: string }>
  /**
   * Opens what a revision has. The caller closes it.
   *
   * @param paths the folders that the caller reads; '' is all of it. Without any, no files are read
   * @param limits the most that each of these folders may have; what no caller reads does not count
   * @throws SourceFailure
   */
  open(
    source: SourceAddress,
    revision: string,
    { paths, limits }: { paths: readonly string[]; limits: SourceLimits },
    signal: AbortSignal,
  ): Promise<SourceTree>
}

/** What a revision of a source has. */
export interface SourceTree {
  revision: string
  /** Its author, its title and its time in milliseconds since the epoch. May be empty. */
  about: { author?: string; subject?: string; at?: number }
  /**
   * Returns the ID of the content below a path, '' for all: equal IDs have equal content. Returns
   * undefined if there is no such folder.
   */
  idOf(path: string): string | undefined
  /** Returns the folders that have a compose file, sorted by path. */
  folders(): SourceFolder[]
  /**
   * Yields the files below a path, by their path in it.
   *
   * @throws SourceFailure
   */
  files(path: string): AsyncIterable<SourceFile>
  close(): Promise<void>
}

/** A folder of a source that has a compose file. */
export interface SourceFolder {
  /** '' is the top of the source. */
  path: string
  /** The name of the compose file: the one that Compose takes if there are several. */
  composeFile: string
}

/** A file of a source, or a link. */
export type SourceFile =
  | { path: string; mode: number; content: Uint8Array }
  | { path: string; link: string }
