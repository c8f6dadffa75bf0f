import { ignoreError } from '../../ignore-error.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { isWhole } from '../../records/backup-run.ts'
import type { ExecutePorts, RunEnd } from './execute-backup.ts'
import { recordLastRun } from './last-run.ts'
import type { RunRecorder } from './recorder.ts'
import { applyRetention, type RetentionPorts } from './retention.ts'

/**
 * Removes the backups that the new one replaces and records how the run ended. Durable after it:
 * the removal of old backups, the run with its final status, then the job with its newest run.
 *
 * @throws what the store throws; `recoverBackups` then ends the run
 */
export async function finishBackup(
  job: BackupJob,
  end: RunEnd,
  recorder: RunRecorder,
  signal: AbortSignal,
  ports: ExecutePorts & RetentionPorts,
): Promise<void> {
  await recorder.stop()
  if (isWhole(recorder.run) && !signal.aborted) {
    // The new backup is complete, so old ones may be removed now.
    const warnings = await applyRetention(job, signal, ports).catch((error) => {
      ports.log.warn('old backups could not be removed', { job: job.id, error })
      return ['old backups could not be removed']
    })
    // If this write fails, the next one contains the warnings too.
    await recorder
      .change({ warnings: [...recorder.run.warnings, ...warnings] })
      .catch(ignoreError('record the warnings of a backup'))
  }
  const isOurs = await recorder.change({ ...end, finishedAt: ports.clock.now() })
  if (isOurs) await recordLastRun(recorder.run, ports)
}
