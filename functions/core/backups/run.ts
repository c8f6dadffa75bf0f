import type { FilePlace } from '../engine/archives.ts'
import type { BackupObject } from './manifest.ts'
import type { BackupTarget } from './target.ts'

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'interrupted'

/** One run of a job, or the way back of one. Times are milliseconds since the epoch. */
export interface BackupRun {
  /** UUIDv7: sorts by time. */
  id: string
  kind: 'backup' | 'restore'
  /** The job's, which may be gone by now. Of a restore: of the job whose backup it brings back. */
  jobId: string
  jobName: string
  hostId: string
  status: RunStatus
  error: string | null
  startedAt: number
  finishedAt: number | null
  /** User name of who asked, or `schedule`. */
  by: string
  /** As it was then, secrets too. */
  target: BackupTarget
  /** At the target, below its path or prefix: `<job name>/<run id>`. */
  directory: string
  /** The same for people: a path or an address. */
  location: string
  encrypted: boolean
  /** Stored bytes of all objects, the manifest's too. */
  size: number
  /** Of the manifest as it is stored, hex; null until it is. */
  sha256: string | null
  contents: BackupObject[]
  progress: RunProgress
  /** Containers that were stopped for it and are to be started again. */
  stopped: StoppedContainer[]
  /** Something may lie at the target that is no whole backup. */
  leftovers: boolean
  /**
   * Its host was away when it ended: containers for reading are there still, and of a restore what is to be undone. That is done
   * when the host is back.
   */
  leftOnHost?: boolean
  /** Of the lease under which it was last written: a later holder's record is not overwritten by an earlier one's. */
  fence: number
  /** Of a restore: the run that it brings back. */
  restores?: string
  /** Of a restore: what it has done on its host, for whoever has to undo it. */
  journal?: RestoreJournal
  /** What a person should know. */
  warnings: string[]
}

/**
 * How far a restore is on its host. `filling`: nothing that was there is touched. `replacing`: what was there is put aside and
 * then replaced. `deploying`: all of it is there, and stacks are brought up.
 */
export interface RestoreJournal {
  phase: 'filling' | 'replacing' | 'deploying'
  /** Volumes that it makes under their own names. */
  made: string[]
  moved: MovedPlace[]
}

/** A place whose content is replaced. */
export interface MovedPlace {
  place: FilePlace
  /** The volume with what was there; null when there was nothing. */
  aside: string | null
  /** The copy in it is whole: from here on the place may hold anything. */
  isWhole: boolean
}

/** How far a run is. */
export interface RunProgress {
  /** What is done now, as `volume shop_data`; null before and after. */
  part: string | null
  /** How many parts are done, and how many there are. */
  done: number
  parts: number
  /** Bytes of the archives, before they are compressed. */
  bytes: number
  /** Bytes as they are stored. */
  storedBytes: number
}

export interface StoppedContainer {
  id: string
  name: string
}

/** How far a run is that has not begun. */
export const noProgress: RunProgress = { part: null, done: 0, parts: 0, bytes: 0, storedBytes: 0 }

/** It goes on, or something of it is still to be done on its host. */
export const isUnfinished = ({ status, stopped, leftOnHost = false }: BackupRun) =>
  status === 'running' || stopped.length > 0 || leftOnHost

/** There is a whole backup at the target: its manifest was written. */
export const isWhole = ({ kind, sha256 }: BackupRun) => kind === 'backup' && sha256 !== null

/** The lease under which a run works: of a backup its job's, so that there is one at a time. */
export const runLease = ({ id, kind, jobId }: Pick<BackupRun, 'id' | 'kind' | 'jobId'>) =>
  kind === 'backup' ? `backup:${jobId}` : `restore:${id}`

/** The lease under which the objects of a run are read: while somebody has it, they are not removed. */
export const readingLease = (runId: string) => `backup-run:${runId}`
