import type { AlertStates } from '../../../functions/core/ports/alert-states.ts'
import type { Stored } from '../../../functions/core/ports/collection.ts'
import type { RuleState } from '../../../functions/core/records/alert-state.ts'

/** Returns an in-memory store of alert states. */
export function memoryAlertStates(): AlertStates {
  const states = new Map<string, Stored<RuleState>>()
  let revisions = 0
  const keyOf = ({ hostId, ruleId }: RuleState) => `${hostId} ${ruleId}`
  const isAsRead = (state: Stored<RuleState>) =>
    (states.get(keyOf(state))?.revision ?? 0) === state.revision
  return {
    ofHost: async (hostId) =>
      structuredClone([...states.values()].filter((state) => state.hostId === hostId)),
    async save(state) {
      if (!isAsRead(state)) return undefined
      const saved = { ...structuredClone(state), revision: ++revisions }
      states.set(keyOf(state), saved)
      return structuredClone(saved)
    },
    remove: async (state) => isAsRead(state) && states.delete(keyOf(state)),
  }
}
