import type { RunStatus } from './run.ts'
import type { BackupTarget } from './target.ts'

/** What is backed up, where to, when, and for how long it is kept. Times are milliseconds since the epoch. */
export interface BackupJob {
  /** UUIDv7. */
  id: string
  /** Unique, whatever the case of its letters; a directory at the target has this name. */
  name: string
  hostId: string
  sources: BackupSource[]
  target: BackupTarget
  /** Five fields of cron; null for a job that runs when it is told to. */
  schedule: string | null
  /** IANA name of the zone that the schedule is meant in. */
  timezone: string
  retention: Retention
  encrypt: boolean
  /** Services that are stopped while they are read: all that use what is read, these, or none. */
  stopServices: boolean | string[]
  hooks: { before: BackupHook | null; after: BackupHook | null }
  /** False: its schedule is not followed. */
  enabled: boolean
  /** Null without a schedule, and while it is not enabled. */
  nextRunAt: number | null
  lastRun: LastRun | null
  createdAt: number
  updatedAt: number
}

/** `name` is the stack's or the volume's; a system has none. */
export type BackupSource = { kind: 'stack' | 'volume'; name: string } | { kind: 'system' }

/** A command in a container of a service. `service` is a service of the job's stack, or `<stack>/<service>`. */
export interface BackupHook {
  service: string
  /** The program and its arguments as they are: no shell sees them. */
  command: string[]
}

/** What is kept: the newest so many, and what is younger than so many days. With neither, everything. */
export interface Retention {
  keepLast: number | null
  keepDays: number | null
}

/** How the newest run of a job stands. */
export interface LastRun {
  id: string
  status: RunStatus
  startedAt: number
  finishedAt: number | null
  error: string | null
}
