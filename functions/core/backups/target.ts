/** Where backups are kept. What is secret in it is encrypted in the store and never shown. */
export type BackupTarget = LocalTarget | S3Target | SftpTarget

/** A directory of the service's machine: absolute, or below `<data>/backups`, which the empty path is. */
export interface LocalTarget {
  kind: 'local'
  path: string
}

/** A bucket of Amazon S3, or of whatever speaks its API. */
export interface S3Target {
  kind: 's3'
  bucket: string
  /** Before the names of objects, without slashes around it; empty for none. */
  prefix: string
  region: string
  /** `https://…` or `http://…`; null for Amazon's own. */
  endpoint: string | null
  /** `<endpoint>/<bucket>/<key>` in place of `<bucket>.<endpoint>/<key>`. */
  forcePathStyle: boolean
  accessKeyId: string
  /** Secret. */
  secretAccessKey: string
}

/** A directory of an SSH server. */
export interface SftpTarget {
  kind: 'sftp'
  host: string
  port: number
  username: string
  /** Absolute, or below the directory where the account begins. */
  path: string
  /** SHA-256 of the server's key as OpenSSH shows it: `SHA256:…`, base64 without `=`. Another key is refused. */
  hostKey: string
  /** Secret. Null when a key is used. */
  password: string | null
  /** Secret. PEM or OpenSSH's own form; null when a password is used. */
  privateKey: string | null
  /** Secret. Of the private key; null when it has none. */
  passphrase: string | null
}

/** True for two ways to one place, whatever they are asked with: what lies there is reached by either. */
export function isSamePlace(one: BackupTarget, other: BackupTarget): boolean {
  return JSON.stringify(placeOf(one)) === JSON.stringify(placeOf(other))
}

function placeOf(target: BackupTarget) {
  if (target.kind === 'local') return [target.kind, target.path]
  if (target.kind === 's3') return [target.kind, target.endpoint, target.bucket, target.prefix]
  return [target.kind, target.host, target.port, target.username, target.path]
}
