import type { z } from 'zod'
import { instant, instantOrNull } from '../core/access/fields.ts'
import { isEncrypted } from '../core/backups/runs/prepare-backup.ts'
import type { HostNames } from '../core/hosts/host-names.ts'
import type { BackupJob } from '../core/records/backup-job.ts'
import type { Edition } from '../kit/if-match.ts'
import type { Job } from './schema.ts'
import { showTarget } from './target.ts'

/** Returns the edition of a job. A run, or the next time of one, does not change it. */
export const jobEdition = ({ updatedAt }: BackupJob): Edition => updatedAt

/** Returns a job in the API's form, without the secrets of its target. */
export function jobView(job: BackupJob, nameOf: HostNames): z.input<typeof Job> {
  const { actsAs, lastRun, retention } = job
  return {
    id: job.id,
    name: job.name,
    host: job.hostId,
    host_name: nameOf(job.hostId),
    sources: job.sources.map((source) => ({
      kind: source.kind,
      name: source.kind === 'system' ? 'system' : source.name,
    })),
    target: showTarget(job.target),
    schedule: job.schedule,
    timezone: job.timezone,
    retention: { keep_last: retention.keepLast, keep_days: retention.keepDays },
    encrypt: isEncrypted(job),
    stop_services: job.stopServices,
    hooks: job.hooks,
    enabled: job.enabled,
    acts_as: {
      username: actsAs?.username ?? null,
      since: instant(actsAs?.since ?? job.updatedAt),
      blocked: actsAs?.blocked ?? null,
    },
    next_run_at: instantOrNull(job.nextRunAt),
    last_run: lastRun && {
      id: lastRun.id,
      status: lastRun.status,
      started_at: instant(lastRun.startedAt),
      finished_at: instantOrNull(lastRun.finishedAt),
      error: lastRun.error,
    },
    created_at: instant(job.createdAt),
    updated_at: instant(job.updatedAt),
  }
}
