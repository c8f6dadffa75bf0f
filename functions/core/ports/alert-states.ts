import type { RuleState } from '../records/alert-state.ts'
import type { Stored } from './collection.ts'

/** The states of rules by host and rule, shared by all processes. */
export interface AlertStates {
  ofHost(hostId: string): Promise<Stored<RuleState>[]>
  /**
   * Writes a new state (revision 0) or replaces one as it was read. Returns the stored state, or
   * undefined if it was written since.
   */
  save(state: Stored<RuleState>): Promise<Stored<RuleState> | undefined>
  /** Returns false if the state was written since it was read. */
  remove(state: Stored<RuleState>): Promise<boolean>
}
