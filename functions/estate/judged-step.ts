import type { PlannedStep } from '../core/estate/plan-estate.ts'

/** A step with the names of the secrets that it uses. */
export interface JudgedStep extends PlannedStep {
  secrets: string[]
  /** What follows it beside its change. */
  notes: string[]
  /** What a deletion does. Missing from other steps. */
  effect?: string
}
