import { z } from 'zod'
import { unprocessable } from '../errors.ts'
import type { BackupManifest } from './manifest.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)

/** As `BackupManifest` says; what later versions add is left alone. Names of objects lead nowhere else. */
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  run: z.string(),
  job: z.object({ id: z.string(), name: z.string() }),
  host: z.object({ id: z.string(), name: z.string() }),
  started_at: z.string(),
  finished_at: z.string(),
  objects: z.array(
    z.object({
      name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/),
      kind: z.enum(['stack', 'volume', 'system']),
      source: z.string(),
      stack: z.string().nullable(),
      bytes: count,
      sha256: digest,
      tar_bytes: count,
      tar_sha256: digest,
      files: count,
    }),
  ),
})

/** More than any manifest has. */
export const manifestBytesMax = 16 * 1024 * 1024

/** The manifest that a text is. Throws a `Failure` 422 for one that is none, or of a later format. */
export function readManifest(text: string): BackupManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw unprocessable('the manifest of the backup is damaged: it is not JSON', { cause })
  }
  const format = (value as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > 1) {
    throw unprocessable(`the backup has the format ${format}, which a newer service wrote`)
  }
  const { success, data, error } = Manifest.safeParse(value)
  if (success) return data
  const where = error.issues[0]?.path.join('.')
  throw unprocessable(`the manifest of the backup is damaged: ${where || 'it is none'}`)
}
