import type { AlertRule } from '../records/alert-rule.ts'
import type { Collection } from './collection.ts'

/** The rules. Names are unique: `create` and `replace` fail for a name that is taken. */
export type AlertRules = Collection<AlertRule>
