/** Where backups are stored. Its secrets are encrypted in the store and never returned. */
export type BackupTarget = LocalTarget | S3Target | SftpTarget

/**
 * A directory on the machine of the service: absolute, or relative to `<data>/backups`. The empty
 * path is that directory itself.
 */
export interface LocalTarget {
  kind: 'local'
  path: string
}

/** A bucket of Amazon S3 or a compatible service. */
export interface S3Target {
  kind: 's3'
  bucket: string
  /** Prefix of object names, without slashes at either end; empty for none. */
  prefix: string
  region: string
  /** `https://…` or `http://…`; null for Amazon S3. */
  endpoint: string | null
  /** Use `<endpoint>/<bucket>/<key>` instead of `<bucket>.<endpoint>/<key>`. */
  forcePathStyle: boolean
  accessKeyId: string
  /** Secret. */
  secretAccessKey: string
}

/** A directory on an SSH server. */
export interface SftpTarget {
  kind: 'sftp'
  host: string
  port: number
  username: string
  /** Absolute, or relative to the directory in which the account starts. */
  path: string
  /**
   * SHA-256 of the server's host key as OpenSSH shows it: `SHA256:` and base64 without `=`. Other
   * keys are refused.
   */
  hostKey: string
  /** Secret. Null if a key is used. */
  password: string | null
  /** Secret, in PEM or OpenSSH format. Null if a password is used. */
  privateKey: string | null
  /** Secret. The passphrase of the private key; null if it has none. */
  passphrase: string | null
}
