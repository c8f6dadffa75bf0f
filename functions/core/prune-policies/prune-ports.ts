import type { JudgePorts } from '../acts-as/judge-later-work.ts'
import type { Needs } from '../ports/ports.ts'

/** The ports that scheduled prunes need. */
export type ScheduledPrunePorts = JudgePorts &
  Needs<
    | 'audit'
    | 'background'
    | 'clock'
    | 'deployments'
    | 'engines'
    | 'leases'
    | 'log'
    | 'prunePolicies'
    | 'random'
    | 'reminders'
    | 'retentionStates'
  >
