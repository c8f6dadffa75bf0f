import type { AlertStates } from '../../functions/core/ports/alert-states.ts'
import type { RuleState } from '../../functions/core/records/alert-state.ts'
import { unchanged } from './collection.ts'
import { newRevision, packed, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores a rule's state on a host as an item (`alert-states#<host>`, rule id). A rule in its normal
 * state has no item.
 */
export function storedAlertStates(table: Table): AlertStates {
  const pkOf = (hostId: string) => `alert-states#${hostId}`
  return {
    async ofHost(hostId) {
      const items = await table.query(pkOf(hostId))
      return items.map((item) => ({ ...unpacked<RuleState>(item), revision: item.rev as number }))
    },
    async save({ revision, ...state }) {
      const rev = newRevision()
      const item = { pk: pkOf(state.hostId), sk: state.ruleId, rev, ...packed(state) }
      const saved = await table.put(item, revision === 0 ? absent : unchanged(revision))
      return saved ? { ...state, revision: rev } : undefined
    },
    remove: ({ hostId, ruleId, revision }) =>
      table.remove({ pk: pkOf(hostId), sk: ruleId }, unchanged(revision)),
  }
}
