/** `name` is the name of the stack or volume. */
export type BackupSource = { kind: 'stack' | 'volume'; name: string } | { kind: 'system' }

/** A volume that is backed up, and whose it was then. */
export interface BackedUpVolume {
  name: string
  /** The stack that owned it; null for none. */
  owner: string | null
  /** The job had it before the service asked for owners, so it keeps it without any right. */
  isEarlier?: true
}
