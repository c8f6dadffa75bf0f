import type { AlertRules } from '../../functions/core/ports/alert-rules.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { AlertRule } from '../../functions/core/records/alert-rule.ts'
import { storedCollection } from './collection.ts'
import { namedCollection } from './named-collection.ts'
import type { Table } from './table.ts'

/**
 * Stores rules as a collection (`alert-rules`, id) with unique names (`alert-rule-name#<lower case
 * name>`).
 */
export function storedAlertRules(table: Table, clock: Clock): AlertRules {
  const records = storedCollection<AlertRule>(table, 'alert-rules')
  const { findByName: _, ...rules } = namedCollection(
    table,
    clock,
    records,
    'alert-rule-name',
    ruleName,
  )
  return rules
}

/** Returns the form of the rule's name that must be unique. */
export const ruleName = ({ name }: AlertRule) => name.toLowerCase()
