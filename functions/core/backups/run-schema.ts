import { z } from 'zod'
import { Instant } from '../access/fields.ts'

const BackupObject = z
  .object({
    name: z.string().describe('The name in the directory of the run'),
    kind: z.enum(['stack', 'volume', 'system']),
    source: z.string(),
    stack: z.string().nullable().describe('The stack that a volume was backed up with'),
    size: z.int().describe('Stored bytes'),
    sha256: z.string().describe('SHA-256 of the stored bytes'),
    bytes: z.int().describe('Bytes of the archive inside'),
    files: z.int(),
  })
  .meta({ id: 'BackupObject' })

export const runExample = {
  id: '01978f00-0000-7000-8000-000000000002',
  kind: 'backup' as const,
  job_id: '01978f00-0000-7000-8000-000000000001',
  job_name: 'nightly',
  host: 'local',
  status: 'running' as const,
  started_at: '2026-06-02T01:30:00.000Z',
  finished_at: null,
  by: 'schedule',
  size: 0,
  sha256: null,
  location: '/var/lib/container-stacks/backups/nightly/01978f00-0000-7000-8000-000000000002',
  encrypted: true,
  error: null,
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

export const Run = z
  .object({
    id: z.string(),
    kind: z.enum(['backup', 'restore']),
    job_id: z.string(),
    job_name: z.string(),
    host: z.string().describe('Host id'),
    status: z.enum(['running', 'succeeded', 'failed', 'interrupted']),
    started_at: Instant,
    finished_at: Instant.nullable(),
    by: z.string().describe('User name, or `schedule`'),
    size: z.int().describe('Stored bytes'),
    sha256: z.string().nullable().describe('SHA-256 of the manifest; null if there is no backup'),
    location: z.string(),
    encrypted: z.boolean(),
    error: z.string().nullable(),
    warnings: z.array(z.string()),
    contents: z.array(BackupObject),
    restores: z.string().nullable().describe('For a restore, the run that it restores'),
    progress: z.object({
      part: z.string().nullable().describe('The current step'),
      done: z.int(),
      parts: z.int(),
      bytes: z.int().describe('Bytes of archives before compression'),
      stored_bytes: z.int(),
    }),
  })
  .meta({ id: 'BackupRun', examples: [runExample] })
