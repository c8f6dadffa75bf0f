import type { Reason } from '../errors.ts'
import type { BackupObject } from './backup-manifest.ts'
import type { BackedUpVolume, BackupSource } from './backup-source.ts'
import type { BackupTarget } from './backup-target.ts'
import type { FilePlace } from './host-engine.ts'
import type { Owner } from './owner.ts'
import type { EarlierRevision, StackRecord } from './stack.ts'

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'interrupted'

/** A run of a backup job or a restore. Times are milliseconds since the epoch. */
export interface BackupRun {
  /** A UUIDv7, which sorts by time. */
  id: string
  kind: 'backup' | 'restore'
  /**
   * The job that the run belongs to; for a restore, the job of the restored backup. It may have
   * been deleted.
   */
  jobId: string
  jobName: string
  hostId: string
  status: RunStatus
  error: string | null
  /** Why it failed, where that is known. Missing in records of earlier versions. */
  reason?: Reason | undefined
  startedAt: number
  finishedAt: number | null
  /** The name of the user who started it, or `schedule`. */
  by: string
  /** The job's target at that time, including its secrets. */
  target: BackupTarget
  /** The directory below the target's path or prefix: `<job name>/<run id>`. */
  directory: string
  /** The same as text for people: a path or an address. */
  location: string
  encrypted: boolean
  /** The stored size of all objects and the manifest in bytes. */
  size: number
  /** SHA-256 (hex) of the stored manifest; null until it is stored. */
  sha256: string | null
  contents: BackupObject[]
  /** The kinds of its job's sources. Missing in restores and records of earlier versions. */
  kinds?: BackupSource['kind'][]
  /** The volumes in it and whose they were. Missing in restores and records of earlier versions. */
  volumes?: BackedUpVolume[]
  progress: RunProgress
  /** Containers that were stopped for the run and are still to be started again. */
  stopped: StoppedContainer[]
  /** Whether the target may contain objects of the run that are not a complete backup. */
  leftovers: boolean
  /**
   * Whether work is left on a host that was unreachable at the end of the run: removing helper
   * containers and undoing a restore. It is done once the host is back.
   */
  leftOnHost?: boolean
  /**
   * The fence of the lease under which the run was last written. It keeps an earlier holder from
   * overwriting the record of a later one.
   */
  fence: number
  /** For a restore: the ID of the restored run. */
  restores?: string
  /** For a restore: its changes on the host, for undoing them. */
  journal?: RestoreJournal
  /** For a restore that takes an update back. The previous data stays on the host then. */
  undoes?: UndoneUpdate
  /** Warnings for the user. */
  warnings: string[]
}

/** An update that a restore takes back. */
export interface UndoneUpdate {
  stack: string
  /** The ID of the deployment of the update. */
  deploymentId: string
  /** The services of the update: they do not run with the data from before and the newer images. */
  services: string[]
}

/**
 * The progress of a restore on its host. `filling`: existing data is untouched. `replacing`:
 * existing data is copied aside and replaced. `deploying`: all data is in place and the stacks are
 * being deployed.
 */
export interface RestoreJournal {
  phase: 'filling' | 'replacing' | 'deploying'
  /** All places that the restore writes to. Missing in records of earlier versions. */
  places?: FilePlace[]
  /** Volumes that the restore creates under their own names. */
  made: string[]
  moved: MovedPlace[]
  /** The stacks whose records are changed, once the data is in place. */
  stacks?: StackBefore[]
}

/**
 * The fields of a stack's record before a restore changed them; null if the stack did not exist. It
 * has only those earlier revisions that the revision of the restore drops, because a run stores the
 * fields of all its stacks in one item of the store.
 */
export interface StackBefore {
  name: string
  before: (Pick<StackRecord, RestoredField> & { dropped?: EarlierRevision[] }) | null
  /**
   * The volumes that the restore records as the stack's, with their record before. Missing in
   * journals of earlier versions.
   */
  volumes?: { name: string; owner: Owner | null }[]
}

/** A field of a stack's record that a restore writes. */
export type RestoredField =
  | 'files'
  | 'filesFrom'
  | 'composeFiles'
  | 'environment'
  | 'services'
  | 'written'
  | 'mayHaveForeignFiles'
  | 'restoredPaths'
  | 'updatedAt'
  | 'contentRevision'

/** A place whose content is replaced. */
export interface MovedPlace {
  place: FilePlace
  /** The volume with the previous content; null if there was none. */
  aside: string | null
  /** Whether the copy in it is complete. After that the place may contain anything. */
  isWhole: boolean
}

/** The progress of a run. */
export interface RunProgress {
  /** The current step, such as `volume shop_data`; null before and after. */
  part: string | null
  /** The number of finished parts, and of all parts. */
  done: number
  parts: number
  /** Bytes of the archives before compression. */
  bytes: number
  /** Bytes as stored. */
  storedBytes: number
}

export interface StoppedContainer {
  id: string
  name: string
}

/** The progress of a run that has not started. */
export const noProgress: RunProgress = { part: null, done: 0, parts: 0, bytes: 0, storedBytes: 0 }

/** Returns whether a run is in progress or has work left on its host. */
export const isUnfinished = ({ status, stopped, leftOnHost = false }: BackupRun) =>
  status === 'running' || stopped.length > 0 || leftOnHost

/** Returns whether a run has a complete backup at its target: its manifest was written. */
export const isWhole = ({ kind, sha256 }: BackupRun) => kind === 'backup' && sha256 !== null

/**
 * Returns the name of a run's lease. The backups of a job share one, so that only one runs at a
 * time.
 */
export const runLease = ({ id, kind, jobId }: Pick<BackupRun, 'id' | 'kind' | 'jobId'>) =>
  kind === 'backup' ? `backup:${jobId}` : `restore:${id}`

/** Returns the name of the lease under which one restore at a time starts on a host. */
export const startedRestores = (hostId: string) => `restores:${hostId}`

/**
 * Returns the name of the lease for reading the objects of a run. While it is held, they are not
 * removed.
 */
export const readingLease = (runId: string) => `backup-run:${runId}`
