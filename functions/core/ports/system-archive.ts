import type { Bytes } from './backup-targets.ts'

/** The service's own state. */
export interface SystemArchive {
  /** Returns the records of the store, and the keys kept outside it, as one tar archive. */
  read(signal: AbortSignal): Bytes
  /** Returns whether it contains the authority that enrolled the agents. */
  hasAuthority(): Promise<boolean>
}
