import type { AlertRules } from '../../functions/core/alerts/ports.ts'
import type { AlertRule } from '../../functions/core/alerts/rule.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { dynamoCollection } from './collection.ts'
import { namedCollection } from './named-collection.ts'
import type { Table } from './table.ts'

/**
 * Stores rules as a collection (`alert-rules`, id) with unique names (`alert-rule-name#<lower case
 * name>`).
 */
export function dynamoAlertRules(table: Table, clock: Clock): AlertRules {
  const records = dynamoCollection<AlertRule>(table, 'alert-rules')
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
