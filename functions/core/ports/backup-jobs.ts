import type { BackupJob } from '../records/backup-job.ts'
import type { Collection } from './collection.ts'

/** Backup jobs by ID, encrypted at rest. Names are unique, ignoring case. */
export type BackupJobs = Collection<BackupJob>
