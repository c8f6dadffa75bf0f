import type { BackupRun } from '../records/backup-run.ts'
import type { TimeRange } from '../records/time-range.ts'

/** A filter for runs, which may name a time range in which they began. */
export interface RunQuery extends TimeRange {
  jobId?: string
  /** Only runs on these hosts. */
  hosts?: readonly string[]
  /** Only runs for which it returns true. The limit counts these. */
  where?: (run: BackupRun) => boolean
  limit: number
}

/** Runs of backups and restores, encrypted at rest. */
export interface BackupRuns {
  find(id: string): Promise<BackupRun | undefined>
  /** Returns runs, newest first. */
  list(query: RunQuery): Promise<BackupRun[]>
  create(run: BackupRun): Promise<void>
  /**
   * Replaces the whole record. Returns false if it was removed, or was written under a later lease
   * (`fence`).
   */
  save(run: BackupRun): Promise<boolean>
  /**
   * Returns the unfinished runs of all processes: those in progress, even if their process died,
   * and those with work left on their host.
   */
  listUnfinished(): Promise<BackupRun[]>
  remove(id: string): Promise<void>
}
