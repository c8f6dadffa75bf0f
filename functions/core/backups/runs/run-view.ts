import type { z } from 'zod'
import { instant, instantOrNull } from '../../access/fields.ts'
import type { HostNames } from '../../hosts/host-names.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import type { Run } from './run-schema.ts'

/** Returns a run in its API form, without the secrets of its target. */
export function runView(run: BackupRun, nameOf: HostNames): z.input<typeof Run> {
  const { part, done, parts, bytes, storedBytes } = run.progress
  return {
    id: run.id,
    kind: run.kind,
    job_id: run.jobId,
    job_name: run.jobName,
    host: run.hostId,
    host_name: nameOf(run.hostId),
    status: run.status,
    started_at: instant(run.startedAt),
    finished_at: instantOrNull(run.finishedAt),
    by: run.by,
    size: run.size,
    sha256: run.sha256,
    location: run.location,
    encrypted: run.encrypted,
    error: run.error,
    reason: run.reason ?? null,
    warnings: run.warnings,
    contents: run.contents.map((object) => ({
      name: object.name,
      kind: object.kind,
      source: object.source,
      stack: object.stack,
      size: object.bytes,
      sha256: object.sha256,
      bytes: object.tar_bytes,
      files: object.files,
    })),
    restores: run.restores ?? null,
    progress: { part, done, parts, bytes, stored_bytes: storedBytes },
  }
}
