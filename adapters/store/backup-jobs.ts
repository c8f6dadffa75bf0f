import type { BackupJobs } from '../../functions/core/ports/backup-jobs.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { BackupJob } from '../../functions/core/records/backup-job.ts'
import { namedCollection } from './named-collection.ts'
import type { SecretKeys } from './sealed.ts'
import { sealedCollection } from './sealed-collection.ts'
import type { Table } from './table.ts'

/**
 * Stores jobs as an encrypted collection (`backup-jobs`, id) with unique names
 * (`backup-job-name#<lower case name>`).
 */
export function storedBackupJobs(table: Table, clock: Clock, keys: SecretKeys): BackupJobs {
  const records = sealedCollection<BackupJob>(table, 'backup-jobs', keys)
  const { findByName: _, ...jobs } = namedCollection(
    table,
    clock,
    records,
    'backup-job-name',
    jobName,
  )
  return jobs
}

/** Returns the form of the job's name that must be unique. */
export const jobName = ({ name }: BackupJob) => name.toLowerCase()
