import type { ActsAs } from './acts-as.ts'

/**
 * What follows when the source of a stack has something new: it is only said, its files become the
 * newest revision, or they are deployed too.
 */
export const onChangeModes = ['notify', 'plan', 'deploy'] as const
export type OnChange = (typeof onChangeModes)[number]

/** What begins a sync: a look at the source, its hook or that of the stack, or a user. */
export const syncTriggers = ['look', 'hook', 'user'] as const
export type SyncTrigger = (typeof syncTriggers)[number]

/** What a stack takes of a source, and how. */
export interface SourceTerms {
  /** The folder of its files; '' is all of the source. */
  path: string
  /** Other folders: a change in one of them is a change too. */
  also: string[]
  onChange: OnChange
  /** Deployments overwrite files that were edited on the host. */
  overwrite: boolean
}

/** How a stack follows a source. Times are milliseconds since the epoch. */
export interface StackSource extends SourceTerms {
  /** The name of the source. */
  source: string
  /** When that was made: one with this name that was made later is another one. */
  sourceCreatedAt: number
  /** The version of the source that the account saw when it bound the stack. */
  sourceUpdatedAt: number
  /** Whose rights its syncs and deployments have. */
  actsAs: ActsAs
  boundAt: number
  /**
   * Paths of the files that are kept here: they cover those of the source. With `.env` some of its
   * variables are; see `EnvLayer`.
   */
  kept: string[]
  /** A file was deleted here, so that it is to be taken from the source again. */
  isFreed: boolean
  /** When a user asked for a sync that has not ended; null if none did. */
  askedAt: number | null
  /**
   * When the hook of the stack asked for what is new, which it deploys itself. Null or missing: it
   * does not.
   */
  hookAskedAt?: number | null
  /** The revision of the source that was last compared; null: compare again. */
  comparedRevision: string | null
  /** What the source has that was not taken; null if there is nothing. */
  waiting: SourceState | null
  /** What the files were last taken from; null before the first time. */
  synced: (SourceState & { at: number }) | null
  /**
   * The revision of the stack that has the files of `synced`, with those that are kept here.
   * Missing before the first time, and in records of earlier versions.
   */
  takenRevision?: number
  /** What began the sync whose deployment has not begun; null if none is to begin. */
  deploys: SyncTrigger | null
  /** It begins also if the files are deployed already, as another folder of `also` changed. */
  deploysAgain?: boolean
  /** The deployment that the last sync began. Missing if none did, or if it succeeded. */
  begun?: BegunDeployment | undefined
  /** Why the last sync failed; null if it did not. */
  problem: SyncProblem | null
}

/** A deployment that a sync began. */
export interface BegunDeployment {
  id: string
  /** Such as a commit or a digest. */
  revision: string
  /** A sentence that says why it failed; null until it is known how it ended. */
  error: string | null
}

/** Returns a sentence that says why a stack does not follow its source, or undefined if it does. */
export const whyNotFollowing = ({
  problem,
  begun,
}: Pick<StackSource, 'begun' | 'problem'>): string | undefined =>
  (problem ? toldToAll(problem) : begun?.error) ?? undefined

/** What a source has for a stack. */
export interface SourceState {
  /** Such as a commit or a digest. */
  revision: string
  /** Equal ones have equal files; '' is none: the place is another one now. */
  treeId: string
  author?: string
  subject?: string
  /** When it was made there. */
  madeAt?: number
}

/** `reason` is a `SourceProblem`, a `Reason`, `blocked` or `no-source`; `message` is a sentence. */
export interface SyncProblem {
  reason: string
  message: string
  /** The source could not be read: the message may name servers and accounts. */
  isUnread?: true | undefined
  /** What the source had then; null if that is not known. */
  revision: string | null
  /** Syncs in a row that failed. */
  failures: number
  /** When it is tried again. */
  nextAt: number
}

/** Shown instead of the reason, which may name servers, to users who may not manage sources. */
export const unreadText =
  'the source cannot be read; users who may manage sources can see the reason'

/** Returns why a sync failed, for all who see the stack. */
export const toldToAll = ({ message, isUnread }: Pick<SyncProblem, 'isUnread' | 'message'>) =>
  isUnread ? unreadText : message

/** What a deployment for a source deploys. */
export interface DeployedSource extends SourceState {
  source: string
  trigger: SyncTrigger
}
