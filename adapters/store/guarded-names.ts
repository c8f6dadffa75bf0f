import type { Accounts } from '../../functions/core/ports/accounts.ts'
import type { AlertChannels } from '../../functions/core/ports/alert-channels.ts'
import type { AlertRules } from '../../functions/core/ports/alert-rules.ts'
import type { BackupJobs } from '../../functions/core/ports/backup-jobs.ts'
import type { Hosts } from '../../functions/core/ports/hosts.ts'
import { accountName, identityKey } from './accounts.ts'
import { channelName } from './alert-channels.ts'
import { ruleName } from './alert-rules.ts'
import { jobName } from './backup-jobs.ts'
import type { GuardKind } from './guards.ts'
import { hostName } from './hosts.ts'

/**
 * For each kind of guard, returns the unique name of the record with this id, or undefined if it
 * has none.
 */
export type GuardedNames = Record<GuardKind, (id: string) => Promise<string | undefined>>

/** The stores whose records have unique names. */
export interface NamedStores {
  accounts: Accounts
  hosts: Hosts
  alertRules: AlertRules
  alertChannels: AlertChannels
  backupJobs: BackupJobs
}

/** Returns the lookups of names by the kind of guard. */
export const guardedNames = (stores: NamedStores): GuardedNames => ({
  username: named(stores.accounts, accountName),
  identity: named(stores.accounts, ({ identity }) => identityKey(identity)),
  hostname: named(stores.hosts, hostName),
  'alert-rule-name': named(stores.alertRules, ruleName),
  'alert-channel-name': named(stores.alertChannels, channelName),
  'backup-job-name': named(stores.backupJobs, jobName),
})

function named<T>(
  records: { find(id: string): Promise<T | undefined> },
  nameOf: (record: T) => string | undefined,
) {
  return async (id: string) => {
    const record = await records.find(id)
    return record && nameOf(record)
  }
}
