import type { AuditBlocks } from '../../../functions/core/ports/audit-blocks.ts'
import type { Ports } from '../../../functions/core/ports/ports.ts'
import type { Setup } from '../../../functions/core/ports/setup.ts'
import type { MemoryClock } from '../memory/clock.ts'

/** The ports that store something. */
export type Stores = { setup: Pick<Setup, 'open' | 'consume'>; auditBlocks: AuditBlocks } & Pick<
  Ports,
  | 'accounts'
  | 'roles'
  | 'secondFactors'
  | 'passkeys'
  | 'attempts'
  | 'sessions'
  | 'apiTokens'
  | 'tickets'
  | 'identityProviders'
  | 'signInSteps'
  | 'idempotentRequests'
  | 'settings'
  | 'hosts'
  | 'hostConnections'
  | 'enrolments'
  | 'estates'
  | 'stacks'
  | 'deployments'
  | 'texts'
  | 'textMarks'
  | 'expiredItems'
  | 'uploads'
  | 'owners'
  | 'alertChannels'
  | 'alertDeliveries'
  | 'leases'
  | 'alertRules'
  | 'alertStates'
  | 'alertEvents'
  | 'metricHistory'
  | 'usageHistory'
  | 'backupJobs'
  | 'backupRuns'
  | 'operations'
>

/** Empty stores as seen by two processes that share a clock. */
export interface World {
  clock: MemoryClock
  stores: Stores
  /** The same records, as another process sees them. */
  peer: Stores
}

/** Makes a new world. */
export type NewWorld = () => Promise<World>

/** Returns how many of the answers equal `wanted`. */
export const count = <T>(answers: T[], wanted: T) => answers.filter((one) => one === wanted).length
