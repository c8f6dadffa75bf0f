import { z } from 'zod'
import { unusable } from '../../errors.ts'
import type { BackupManifest } from '../../records/backup-manifest.ts'
import { leftOutMax } from './left-out-texts.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)
const stackName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/)

/** The valid names of sources by kind of object, restricted because they become host paths. */
const Source = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stack'), source: stackName }),
  z.object({
    kind: z.literal('volume'),
    source: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/),
  }),
  z.object({ kind: z.literal('system'), source: z.string() }),
])

/** More than the sources of any job yield. */
const objectsMax = 10_000

const LeftOut = z.object({
  stack: stackName,
  service: z.string().max(leftOutMax.text).nullable(),
  what: z.string().max(leftOutMax.text),
  reason: z.string().max(leftOutMax.text),
})

/**
 * The schema of `BackupManifest`. Ignores fields that later versions add. Object names cannot leave
 * the directory.
 */
const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  run: z.string(),
  job: z.object({ id: z.string(), name: z.string() }),
  host: z.object({ id: z.string(), name: z.string() }),
  started_at: z.string(),
  finished_at: z.string(),
  objects: z
    .array(
      z
        .object({
          name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/),
          stack: stackName.nullable(),
          bytes: count,
          sha256: digest,
          tar_bytes: count,
          tar_sha256: digest,
          files: count,
        })
        .and(Source),
    )
    .max(objectsMax),
  left_out: z.array(LeftOut).max(leftOutMax.count).optional(),
})

/** More than any manifest needs. */
export const manifestBytesMax = 16 * 1024 * 1024

/**
 * Parses a manifest.
 *
 * @throws 422 if it is invalid or has a newer format
 */
export function readManifest(text: string): BackupManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw unusable('the manifest of the backup is damaged: it is not JSON', { cause })
  }
  const format = (value as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > 1) {
    throw unusable(`the backup has format ${format}, written by a newer version of the service`)
  }
  const { success, data, error } = Manifest.safeParse(value)
  if (success) return checked(data)
  const where = error.issues[0]?.path.join('.')
  throw unusable(`the manifest of the backup is damaged: ${where || 'it is none'}`)
}

/**
 * Returns the manifest.
 *
 * @throws 422 if an object occurs twice or the sizes exceed what can be counted
 */
function checked(manifest: BackupManifest): BackupManifest {
  const { objects } = manifest
  const names = new Set(objects.map(({ name }) => name))
  const sources = new Set(objects.map(({ kind, source }) => `${kind} ${source}`))
  if (Math.min(names.size, sources.size) < objects.length) {
    throw unusable('the manifest of the backup is damaged: it names an object twice')
  }
  const total = (field: 'bytes' | 'tar_bytes' | 'files') =>
    objects.reduce((sum, object) => sum + object[field], 0)
  if (![total('bytes'), total('tar_bytes'), total('files')].every(Number.isSafeInteger)) {
    throw unusable('the manifest of the backup is damaged: its counts are too large')
  }
  return manifest
}
