/**
 * What `manifest.json` says. It is written when everything else is at the target: a directory without it is no backup.
 * Times are RFC 3339.
 */
export interface BackupManifest {
  format: 1
  /** Of the service that wrote it. */
  version: string
  run: string
  job: { id: string; name: string }
  host: { id: string; name: string }
  started_at: string
  finished_at: string
  objects: BackupObject[]
}

/** One object of a backup: an archive. Its name tells its form: `.tar.zst`, `.tar.gz`, and `.age` behind when encrypted. */
export interface BackupObject {
  /** In the run's directory. */
  name: string
  kind: 'stack' | 'volume' | 'system'
  /** Name of the stack or volume; `system`. */
  source: string
  /** The stack that a volume was backed up with; null for one that was named itself. */
  stack: string | null
  /** Of the stored object. SHA-256 in hex. */
  bytes: number
  sha256: string
  /** Of the archive within. */
  tar_bytes: number
  tar_sha256: string
  /** Regular files in the archive. */
  files: number
}

/** How an object's bytes came about: compressed, then encrypted. */
export interface ObjectForm {
  compression: 'zstd' | 'gzip' | 'none'
  encrypted: boolean
}

const suffixes = { zstd: '.zst', gzip: '.gz', none: '' } as const

/** An object's name: `volume-data.tar`, with what its form adds. */
export const objectName = (base: string, { compression, encrypted }: ObjectForm) =>
  `${base}${suffixes[compression]}${encrypted ? '.age' : ''}`

/** The form that a name tells. */
export function formOf(name: string): ObjectForm {
  const encrypted = name.endsWith('.age')
  const rest = encrypted ? name.slice(0, -'.age'.length) : name
  const compression = rest.endsWith('.zst') ? 'zstd' : rest.endsWith('.gz') ? 'gzip' : 'none'
  return { compression, encrypted }
}

/** The manifest's own name, by whether it is encrypted. */
export const manifestName = (encrypted: boolean) =>
  objectName('manifest.json', { compression: 'none', encrypted })
