export const upgradeOutcomes = ['open', 'upgraded', 'taken_back', 'not_started', 'stuck'] as const

export type UpgradeOutcome = (typeof upgradeOutcomes)[number]

/** The `RestartPolicy` of a container, as the Engine has it. */
export interface RestartPolicy {
  Name: string
  MaximumRetryCount: number
}

/** A version of the service: an image, and what its labels say. */
export interface UpgradeImage {
  /** The reference that its container is created with. */
  image: string
  imageId: string
  /** Undefined if the image does not say it. */
  version?: string | undefined
}

/** The container that an upgrade replaces, as it was before. */
export interface ReplacedContainer extends UpgradeImage {
  containerId: string
  name: string
  restartPolicy: RestartPolicy
}

/**
 * The upgrade that was started last. The helper container decides by it and by what the Engine
 * shows. Times are milliseconds since the epoch.
 */
export interface UpgradeJournal {
  /** The ID of the operation. */
  id: string
  startedAt: number
  from: ReplacedContainer
  to: UpgradeImage
  /** The ID of the helper container; null until it is created. */
  helper: string | null
  direction: 'forward' | 'back'
  /** Why it turned back, was not started or is stuck. */
  error: string | null
  /** The end of the log of the new container, if it was taken back: 50 lines of 500 characters. */
  log: string[]
  outcome: UpgradeOutcome
  endedAt: number | null
  /** The upgrade whose replaced container is still kept, as a way back before this one. */
  before?: Omit<UpgradeJournal, 'before'> | undefined
  /** When nothing was left of it any more. */
  tidiedAt?: number
}
