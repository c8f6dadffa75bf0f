import type { Setup } from '../../functions/core/access/ports.ts'
import type { AuditBlocks } from '../../functions/core/audit/ports.ts'
import type { Ports } from '../../functions/core/ports.ts'

/** The ports that keep something. */
export type Stores = { setup: Pick<Setup, 'open' | 'consume'>; auditBlocks: AuditBlocks } & Pick<
  Ports,
  | 'accounts'
  | 'roles'
  | 'secondFactors'
  | 'attempts'
  | 'sessions'
  | 'apiTokens'
  | 'tickets'
  | 'identityProviders'
  | 'signInSteps'
  | 'settings'
  | 'hosts'
  | 'hostConnections'
  | 'enrolments'
  | 'stacks'
  | 'deployments'
  | 'texts'
  | 'textMarks'
  | 'expiredItems'
  | 'adoptions'
  | 'owners'
  | 'alertChannels'
  | 'alertDeliveries'
  | 'leases'
  | 'alertRules'
  | 'alertStates'
  | 'alertEvents'
  | 'metricHistory'
  | 'backupJobs'
  | 'backupRuns'
>

/** Empty stores as two processes see them, with one clock for both. */
export interface World {
  clock: { now(): number; advance(milliseconds: number): void }
  stores: Stores
  /** The same records, seen from another process. */
  peer: Stores
}

/** Makes a world that no other test has seen. */
export type NewWorld = () => Promise<World>

/** How many of the answers are this one. */
export const count = <T>(answers: T[], wanted: T) => answers.filter((one) => one === wanted).length
