import { leaseHeld } from '../../errors.ts'
import { withLeaseRenewal } from '../../leases/lease-renewal.ts'
import type { Stored } from '../../ports/collection.ts'
import type { Lease } from '../../ports/leases.ts'
import type { Needs } from '../../ports/ports.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { requireStanding } from '../jobs/job-account.ts'
import { acquireBackup, acquireBackupOfPause } from './acquire-backup.ts'
import { type ExecutePorts, executeBackup } from './execute-backup.ts'
import { finishBackup } from './finish-backup.ts'
import { prepareBackup } from './prepare-backup.ts'
import { recordBackup } from './record-backup.ts'
import { startRecorder } from './recorder.ts'

export type BackupPorts = ExecutePorts &
  Needs<'background' | 'leases' | 'random' | 'retentionStates' | 'serviceUpgrades'>

/** A run that was started. */
export interface StartedRun {
  run: BackupRun
  /** Resolves with the run once its end is recorded. Never rejects. */
  finished: Promise<BackupRun>
}

/**
 * Starts a run of a job.
 *
 * @param by the name of the user
 * @throws 409 if the job is blocked, and while another run of it is in progress or the service is
 *   paused
 */
export async function startBackup(
  job: Stored<BackupJob>,
  by: string,
  ports: BackupPorts,
  id = ports.random.id(),
): Promise<StartedRun> {
  return startUnder(acquireBackup, job, prepareBackup(job, by, ports, id), ports)
}

/**
 * Starts the run of a job that the service is paused for.
 *
 * @throws 409 if the job is blocked, and while another run of it is in progress
 */
export function startBackupOfPause(
  job: Stored<BackupJob>,
  by: string,
  ports: BackupPorts,
): Promise<StartedRun> {
  const prepared = prepareBackup(job, by, ports, ports.random.id())
  return startUnder(acquireBackupOfPause, job, prepared, ports)
}

async function startUnder(
  acquireLease: typeof acquireBackup,
  job: Stored<BackupJob>,
  prepared: BackupRun,
  ports: BackupPorts,
): Promise<StartedRun> {
  await requireStanding(job, ports)
  const lease = await acquireLease(prepared, ports)
  if (!lease) throw leaseHeld(`backup job ${job.name}: a run is in progress`)
  const run = await recordBackup(prepared, lease, ports)
  return runInBackground(job, run, lease, ports)
}

/**
 * Executes a recorded run under its lease and records how it ended.
 */
export function runInBackground(
  job: BackupJob,
  run: BackupRun,
  lease: Lease,
  ports: BackupPorts,
): StartedRun {
  const finished = new Promise<BackupRun>((resolve) => {
    ports.background.run(`backup ${job.name}`, async (signal) => {
      const recorder = startRecorder(run, ports)
      const own = { ...ports, composer: ports.composer.inBackground() }
      try {
        await withLeaseRenewal(lease, signal, ports, async (held) => {
          const end = await executeBackup(job, recorder, held.signal, own)
          await finishBackup(job, end, recorder, held.signal, own)
        })
      } finally {
        resolve(recorder.run)
      }
    })
  })
  return { run, finished }
}
