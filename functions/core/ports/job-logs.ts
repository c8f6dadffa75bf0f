import type { JobLog } from '../records/stack-job.ts'
import type { Collection } from './collection.ts'

/** The logs of the runs of jobs, by the id of the run, encrypted at rest. */
export type JobLogs = Collection<JobLog>
