/**
 * The content of `manifest.json`. It is written last: a directory without it is not a backup. Times
 * are RFC 3339.
 */
export interface BackupManifest {
  format: 1
  /** The version of the service that wrote it. */
  version: string
  run: string
  job: { id: string; name: string }
  host: { id: string; name: string }
  started_at: string
  finished_at: string
  objects: BackupObject[]
  /** What its stacks use that is not in it. Missing in backups of earlier versions. */
  left_out?: LeftOut[] | undefined
}

/** Data that a stack uses and that a backup of it does not contain. */
export interface LeftOut {
  stack: string
  /** The service that uses it; null if no service is known to. */
  service: string | null
  /** A path in the container, or the attribute or the volume. */
  what: string
  /** Why it is left out, as the end of a sentence. */
  reason: string
}

/**
 * An object of a backup, which is an archive. The suffixes of its name show its form: `.tar.zst` or
 * `.tar.gz`, followed by `.age` if encrypted.
 */
export interface BackupObject {
  /** The name in the directory of the run. */
  name: string
  kind: 'stack' | 'volume' | 'system'
  /** The name of the stack or volume, or `system`. */
  source: string
  /** The stack that a volume belongs to; null for a volume that is a source itself. */
  stack: string | null
  /** Size and SHA-256 (hex) of the stored object. */
  bytes: number
  sha256: string
  /** Size and SHA-256 (hex) of the archive in it. */
  tar_bytes: number
  tar_sha256: string
  /** The number of regular files in the archive. */
  files: number
}

/** How an object is encoded: compressed, then encrypted. */
export interface ObjectForm {
  compression: 'zstd' | 'gzip' | 'none'
  encrypted: boolean
}
