import type { StackFiles } from './stack-files.ts'

/**
 * A container that runs one command of a service, until its feed removes it. Recorded before the
 * container is created, so that a sweep finds what a dead process leaves.
 */
export interface OneOff {
  /** 12 hexadecimal digits, which end the name of the container. */
  id: string
  stack: string
  service: string
  hostId: string
  /** Name of the container. */
  container: string
  /** The account that created it, and that may attach to it. */
  accountId: string
  tty: boolean
  /** The container stays after its end. */
  keep: boolean
  /**
   * The files that it was created from, and their overlay: their `post_start` commands run in it.
   * Missing if its service has none.
   */
  hooks?: { files: StackFiles; environment: string | null }
  /** The id of the run of a job that it belongs to. No feed may attach to it then. */
  jobRun?: string
  /** A feed shows it now, or the run of a job goes on. */
  isAttached: boolean
  /** It had no feed for too long. It is being removed, and no feed can attach any more. */
  isAbandoned?: true
  /** Milliseconds since the epoch. */
  createdAt: number
}
