import type { ActsAs } from './acts-as.ts'

/**
 * A command that runs on a schedule in a new container of a service of a stack. Times are
 * milliseconds since the epoch.
 */
export interface StackJob {
  /** `<stack>.<name>`. Names of stacks have no dot. */
  id: string
  stack: string
  /** Unique among the jobs of the stack. */
  name: string
  service: string
  /** Arguments of the entrypoint; null for the command of the service. */
  command: string[] | null
  /** Cron expression of five fields; null: the job runs only on request. */
  schedule: string | null
  /** IANA name of the time zone of the schedule. */
  timezone: string
  /** How long a run may take, with the wait for other operations of the stack. */
  timeoutSeconds: number
  /** How many runs are kept. */
  keepRuns: number
  /** False: the schedule is disabled. */
  enabled: boolean
  actsAs: ActsAs
  nextRunAt: number | null
  /** The latest runs, the newest first. */
  runs: JobRun[]
  /** The last scheduled time at which it did not run; null if there was none. */
  skipped: SkippedRun | null
  createdAt: number
  /** When a user last changed it. */
  updatedAt: number
}

export type JobRunStatus = 'running' | 'succeeded' | 'failed' | 'interrupted'

/** A run of a job, without its log. */
export interface JobRun {
  id: string
  status: JobRunStatus
  startedAt: number
  finishedAt: number | null
  /** User name, or `schedule`. */
  by: string
  /** Null while it runs, and if the command did not end by itself. */
  exitCode: number | null
  /** Why it did not succeed. Never what the command wrote. */
  error: string | null
}

/** Returns the last run of a job that ended; undefined if none did. */
export const lastEndedRun = ({ runs }: Pick<StackJob, 'runs'>): JobRun | undefined =>
  runs.find(({ status }) => status !== 'running')

export interface SkippedRun {
  at: number
  /** Why, as a phrase. */
  reason: string
}

/** The end of what the command of a run wrote. It can contain secrets. */
export interface JobLog {
  /** The id of the run. */
  id: string
  text: string
  /** There was more, before it or after the connection to the container broke. */
  isCut: boolean
}
