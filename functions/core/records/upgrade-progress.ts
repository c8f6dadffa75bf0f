import type { Operation } from './operation.ts'

/** How far an upgrade of the service is that has passed the check. */
export const upgradeSteps = ['waiting', 'backing_up', 'replacing'] as const

export type UpgradeStep = (typeof upgradeSteps)[number]

/** The result of the operation of an upgrade while it runs. */
export interface UpgradeProgress {
  step: UpgradeStep
  /** An instant in ISO 8601. */
  since: string
  from_version: string
  to_version: string | null
  /** The name of the new image. */
  image: string
  /** The backup that is or was made before; null without one. */
  backup_run_id: string | null
}

/**
 * Returns whether the container of the service is being replaced: from here on the helper container
 * decides.
 */
export const isReplacing = ({ kind, status, result }: Operation): boolean =>
  kind === 'service_upgrade' && status === 'running' && result?.step === 'replacing'
