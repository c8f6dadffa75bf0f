import { z } from 'zod'
import { Instant } from '../../access/fields.ts'
import { Reason } from '../../reason-schema.ts'

/** What a backup is of. */
export const SourceKind = z
  .enum(['stack', 'volume', 'system'])
  .meta({ id: 'BackupSourceKind', description: 'What a backup is of' })

const BackupObject = z
  .object({
    name: z.string().describe('The name in the directory of the run'),
    kind: SourceKind.describe('What the object contains'),
    source: z.string().describe('Name of the stack or volume'),
    stack: z.string().nullable().describe('The stack that a volume was backed up with'),
    size: z.int().describe('Stored bytes'),
    sha256: z.string().describe('SHA-256 of the stored bytes'),
    bytes: z.int().describe('Bytes of the archive inside'),
    files: z.int().describe('Regular files in the archive'),
  })
  .meta({ id: 'BackupObject' })

export const runExample = {
  id: '01978f00-0000-7000-8000-000000000002',
  kind: 'backup' as const,
  job_id: '01978f00-0000-7000-8000-000000000001',
  job_name: 'nightly',
  host: 'local',
  host_name: 'local',
  status: 'running' as const,
  started_at: '2026-06-02T01:30:00.000Z',
  finished_at: null,
  by: 'schedule',
  size: 0,
  sha256: null,
  location: '/var/lib/container-stacks/backups/nightly/01978f00-0000-7000-8000-000000000002',
  encrypted: true,
  error: null,
  reason: null,
  warnings: [],
  contents: [],
  restores: null,
  progress: {
    part: 'volume shop_data',
    done: 1,
    parts: 2,
    bytes: 73400320,
    stored_bytes: 20971520,
  },
}

export const RunStatus = z
  .enum(['running', 'succeeded', 'failed', 'interrupted'])
  .meta({ id: 'BackupRunStatus', description: 'How far a run of a backup job is, or how it ended' })

export const Run = z
  .object({
    id: z.string().describe('Id of the run'),
    kind: z.enum(['backup', 'restore']).describe('Whether it makes a backup or restores one'),
    job_id: z.string().describe('Id of the job'),
    job_name: z.string().describe('Name of the job when the run started'),
    host: z.string().describe('Host id'),
    host_name: z.string().nullable().describe('Name of the host; `null` if it was deleted'),
    status: RunStatus.describe('`interrupted`: the process that ran it ended'),
    started_at: Instant.describe('When the run started'),
    finished_at: Instant.nullable().describe('When the run ended; `null` while it is running'),
    by: z.string().describe('User name, or `schedule`'),
    size: z.int().describe('Stored bytes'),
    sha256: z.string().nullable().describe('SHA-256 of the manifest; `null` if there is no backup'),
    location: z.string().describe('Directory, URL or object prefix of the backup'),
    encrypted: z.boolean().describe('Whether the backup is encrypted'),
    error: z.string().nullable().describe('Why the run failed; `null` if it did not'),
    reason: Reason.nullable().meta({
      description:
        'Why the run failed, for programs: a reason as in `X-Error-Reason`; `null` if it did not or that is unknown',
    }),
    warnings: z
      .array(z.string())
      .describe(
        'Problems that did not end the run, such as data that stacks use and that is not backed up or restored',
      ),
    contents: z.array(BackupObject).describe('What the backup contains'),
    restores: z.string().nullable().describe('For a restore, the run that it restores'),
    progress: z
      .object({
        part: z.string().nullable().describe('The current step'),
        done: z.int().describe('Parts that are done'),
        parts: z.int().describe('Parts of the run in total'),
        bytes: z.int().describe('Bytes of archives before compression'),
        stored_bytes: z.int().describe('Bytes written to or read from the target'),
      })
      .describe('Progress of the run'),
  })
  .meta({ id: 'BackupRun', examples: [runExample] })
