import { runView } from '../core/backups/runs/run-view.ts'
import type { HostNames } from '../core/hosts/host-names.ts'
import type { BackupRun } from '../core/records/backup-run.ts'
import { accepted, ended } from './wait.ts'

/** Returns the 202 of a backup or restore that a request does not wait for. */
export const acceptedRun = (run: BackupRun, nameOf: HostNames) =>
  accepted(runView(run, nameOf), run.id, 'backup-runs', run.id)

/**
 * Returns the response of a backup or restore that a request waited for. One whose process lost its
 * lease is still running: another process takes it over, and the response is that of one that is
 * not waited for.
 */
export const endedRun = (run: BackupRun, nameOf: HostNames) =>
  run.status === 'running'
    ? acceptedRun(run, nameOf)
    : ended(runView(run, nameOf), {
        id: run.id,
        status: 200,
        hasFailed: run.status !== 'succeeded',
      })
