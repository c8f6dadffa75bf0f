import type { BundleFile } from '../adopt/directory.ts'
import type { ComposeFiles } from '../folder/compose-files.ts'

/**
 * The state of a stack in another product. `partial`: some containers run. `never-started`: there
 * are no containers, or none was started.
 */
export type PeerStatus = 'running' | 'stopped' | 'partial' | 'never-started'

/** Why a whole stack is not imported. */
export type Refusal =
  /** Its files cannot be read, or do not load. */
  | 'invalid-compose'
  /** A variable names its compose files, and no container says which they are. */
  | 'compose-file-variable'
  /** Another stack of the same import, or another project of the host, has its name. */
  | 'name-in-use'
  /** The project exists, but its files are not in the directory to import. */
  | 'not-in-stacks-directory'

/** Why a part of a stack is not imported. */
export type LeftOutReason = 'bind-outside-the-stack' | 'unused-compose-file'

/** A part of a stack that is not imported. `what` is the path as the product has it. */
export interface LeftOut {
  what: string
  reason: LeftOutReason
}

/** The files of a stack on this machine. */
export interface PeerFolder {
  /** Its `env` is the text that the stack gets as `.env`. */
  compose: ComposeFiles
  /** The text to send instead of the `.env` in the folder; undefined if that serves. */
  env: string | undefined
  /** Directories in the folder that services may write to, with relative paths. */
  data: readonly string[]
}

/** A stack of another product, in words that are the same for all products. */
export interface PeerStack {
  /** Its name in the product. */
  peerName: string
  /** The name of its compose project, which the stack gets; null if it is refused. */
  name: string | null
  host: string
  status: PeerStatus
  /** Absolute, on the host. */
  directory: string
  /** In the order in which they are merged. */
  composeFiles: readonly string[]
  /** All files in the folder, without `.env`. */
  files: readonly BundleFile[]
  /** The variables that compose files can use, with their final values. They may be secrets. */
  env: Readonly<Record<string, string>>
  leftOut: readonly LeftOut[]
  /** What else a person should know of this stack. */
  notes: readonly string[]
  /** `detail` says it to a person. */
  refused: { reason: Refusal; detail: string } | null
  /** Null if it is refused. */
  folder: PeerFolder | null
}

const reasonWords: Readonly<Record<LeftOutReason, string>> = {
  'bind-outside-the-stack': 'outside of its directory: it stays where it is',
  'unused-compose-file': 'docker compose does not use it: it is no compose file of the stack',
}

/** Returns what is left out and why, for a person. */
export const leftOutText = ({ what, reason }: LeftOut): string => `${what} (${reasonWords[reason]})`

/** Returns whether a stack has a running container. */
export const hasRunning = ({ status }: Pick<PeerStack, 'status'>): boolean =>
  status === 'running' || status === 'partial'
