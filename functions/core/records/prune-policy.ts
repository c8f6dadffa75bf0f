import type { ActsAs } from './acts-as.ts'

/** `nameless`: images that lost their names. `unused`: those that no container used for long. */
export const prunedKinds = ['nameless', 'unused'] as const
export type PrunedKind = (typeof prunedKinds)[number]

/** Which images of a host are removed on a schedule. Times are milliseconds since the epoch. */
export interface PrunePolicy {
  /** The id of the host. */
  id: string
  /** Cron expression of five fields. */
  schedule: string
  /** IANA name of the time zone of the schedule. */
  timezone: string
  what: PrunedKind
  /** Days without a container; null unless `what` is `unused`. */
  unusedDays: number | null
  /** Whose rights each run has. */
  actsAs: ActsAs
  /** In the past while a run is due that could not begin or was not finished. */
  nextRunAt: number | null
  /** The last run; null before the first. */
  last: PruneRun | null
  seen: SeenUnused
}

/** How a run ended. */
export interface PruneRun {
  at: number
  /** The number of images. */
  removed: number
  reclaimedBytes: number
  /** Null if it succeeded. */
  error: string | null
}

/** The images that no container uses, and since when. Empty unless `what` is `unused`. */
export interface SeenUnused {
  /** When the service last looked, within an hour; null if it did not. */
  at: number | null
  images: UnusedSince[]
}

export interface UnusedSince {
  id: string
  /** When it was first seen without a container, or with these names. */
  since: number
  /** A digest of its names: who names an image wants it. */
  names: string
}
