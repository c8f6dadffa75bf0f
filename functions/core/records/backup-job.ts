import type { Reach } from '../../compose/project.ts'
import type { ActsAs } from './acts-as.ts'
import type { RunStatus } from './backup-run.ts'
import type { BackedUpVolume, BackupSource } from './backup-source.ts'
import type { BackupTarget } from './backup-target.ts'

/**
 * A backup job: sources, target, schedule and retention. Times are milliseconds since the epoch.
 */
export interface BackupJob {
  /** UUIDv7. */
  id: string
  /** Unique, ignoring case. Also the name of a directory at the target. */
  name: string
  hostId: string
  sources: BackupSource[]
  /**
   * The volumes that its last editor had the right to back up, besides those of its own stacks. A
   * run stores no other one. Missing in records of versions that did not ask for owners, until the
   * next run records what it finds.
   */
  volumes?: BackedUpVolume[]
  target: BackupTarget
  /** Cron expression of five fields; null for a job without a schedule. */
  schedule: string | null
  /** IANA name of the time zone of the schedule. */
  timezone: string
  retention: Retention
  encrypt: boolean
  /**
   * Services that are stopped while they are read: `true` for all that use the sources, a list of
   * names, or `false` for none.
   */
  stopServices: boolean | string[]
  hooks: { before: BackupHook | null; after: BackupHook | null }
  /** What the hooks may enter. Missing without hooks and in records of earlier versions. */
  hookRights?: HookRights | undefined
  /**
   * Whose rights its runs have. Missing in records of earlier versions, until `bindEarlierJobs`.
   */
  actsAs?: ActsAs
  /** With `false` the schedule is ignored. */
  enabled: boolean
  /** Null without a schedule and while the job is disabled. */
  nextRunAt: number | null
  lastRun: LastRun | null
  createdAt: number
  updatedAt: number
}

/**
 * What the account that saved a job might enter then. A run has no caller, and the container of a
 * hook may be another one by then.
 */
export interface HookRights {
  /** `host` if the account had `stacks:privileged`. */
  reach: Reach
  /** The other stacks whose things the hooks' containers have, and that the account may deploy. */
  stacks: string[]
}

/**
 * A command to run in a container. `service` is a service of the job's stack, or
 * `<stack>/<service>`.
 */
export interface BackupHook {
  service: string
  /** The program and its arguments, without a shell. */
  command: string[]
}

/**
 * The backups to keep: the newest `keepLast` and those of the last `keepDays` days. With neither,
 * all are kept.
 */
export interface Retention {
  keepLast: number | null
  keepDays: number | null
}

/** The state of the newest run of a job. */
export interface LastRun {
  id: string
  status: RunStatus
  startedAt: number
  finishedAt: number | null
  error: string | null
}
