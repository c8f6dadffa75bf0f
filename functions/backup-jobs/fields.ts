import type { z } from 'zod'
import type { BackupJob } from '../core/records/backup-job.ts'
import type { BackupTarget } from '../core/records/backup-target.ts'
import type { CreateJobBody } from './schema.ts'

type Sent = Omit<z.output<typeof CreateJobBody>, 'target' | 'host'> & { target: BackupTarget }

/** Returns the fields of a record that a request body sets. */
export function jobFields(
  body: Sent,
): Omit<BackupJob, 'id' | 'hostId' | 'nextRunAt' | 'lastRun' | 'createdAt' | 'updatedAt'> {
  const { name, target, schedule, timezone, retention, encrypt, hooks, enabled } = body
  return {
    name,
    target,
    timezone,
    encrypt,
    hooks,
    enabled,
    schedule: schedule === null ? null : schedule.trim().replaceAll(/\s+/g, ' '),
    sources: body.sources.map((source) =>
      source.kind === 'system' ? { kind: 'system' } : { kind: source.kind, name: source.name },
    ),
    retention: { keepLast: retention.keep_last, keepDays: retention.keep_days },
    stopServices: body.stop_services,
  }
}
