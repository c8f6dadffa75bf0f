import type { SecondFactor } from '../../functions/core/access/account.ts'
import type { CustomRole } from '../../functions/core/access/role.ts'
import type { HostWatch } from '../../functions/core/alerts/watch.ts'
import type { AuditBlocks } from '../../functions/core/audit/ports.ts'
import type { Host } from '../../functions/core/hosts/ports.ts'
import type { Ports } from '../../functions/core/ports.ts'
import type { Registry } from '../../functions/core/registries/registry.ts'
import type { RetentionState } from '../../functions/core/retention/state.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import type { SettingValues } from '../../functions/core/settings.ts'
import type { IdentityProvider } from '../../functions/core/sso/provider.ts'
import type { StackRecord } from '../../functions/core/stacks/stack.ts'
import { dynamoAccounts } from './accounts.ts'
import { dynamoAdoptions } from './adoptions.ts'
import { dynamoAlertChannels } from './alert-channels.ts'
import { dynamoAlertDeliveries } from './alert-deliveries.ts'
import { dynamoAlertEvents } from './alert-events.ts'
import { dynamoAlertRules } from './alert-rules.ts'
import { dynamoAlertStates } from './alert-states.ts'
import { dynamoApiTokens } from './api-tokens.ts'
import { dynamoAttempts } from './attempts.ts'
import { dynamoAuditBlocks } from './audit-blocks.ts'
import { dynamoBackupJobs } from './backup-jobs.ts'
import { dynamoBackupRuns } from './backup-runs.ts'
import { logsOf, type StoreClient } from './client.ts'
import { dynamoCollection } from './collection.ts'
import { dynamoDeployments } from './deployments.ts'
import { dynamoEnrolments } from './enrolments.ts'
import { dynamoExpiredItems } from './expired-items.ts'
import { gatherAttempts } from './gather-attempts.ts'
import { guardedNames } from './guarded-names.ts'
import { dynamoHostConnections } from './host-connections.ts'
import { dynamoHosts } from './hosts.ts'
import { dynamoLeases } from './leases.ts'
import { dynamoMetricHistory } from './metric-history.ts'
import { dynamoOwners } from './owners.ts'
import type { SecretKeys } from './sealed.ts'
import { sealedCollection } from './sealed-collection.ts'
import { type SealedItems, sealedItems } from './sealed-items.ts'
import { dynamoSessions } from './sessions.ts'
import { dynamoSettings } from './settings.ts'
import { dynamoSetup, type SetupState } from './setup.ts'
import { dynamoSignInSteps } from './sign-in-steps.ts'
import { table } from './table.ts'
import { dynamoTextMarks } from './text-marks.ts'
import { dynamoTexts } from './texts.ts'
import { dynamoTickets } from './tickets.ts'

/** What the stores need besides the client. */
export interface StoreOptions {
  clock: Clock
  /** The local host as configured. */
  local: Host
  /** Settings from the configuration file and the environment. */
  pinned: Partial<SettingValues>
  keys: SecretKeys
}

/**
 * Returns every port that stores something, on the two tables. `setup` and the audit are the parts
 * that all processes share.
 */
export function dynamoStores(client: StoreClient, options: StoreOptions) {
  const { clock } = options
  const items = table(client)
  const logs = table(logsOf(client))
  const named = {
    accounts: dynamoAccounts(items, clock),
    hosts: dynamoHosts(items, clock, options.local),
    alertRules: dynamoAlertRules(items, clock),
    alertChannels: dynamoAlertChannels(items, clock, options.keys),
    backupJobs: dynamoBackupJobs(items, clock, options.keys),
  }
  const leftovers = { clock, hosts: named.hosts, names: guardedNames(named) }
  return {
    ...named,
    roles: dynamoCollection<CustomRole>(items, 'roles'),
    secondFactors: sealedCollection<SecondFactor>(items, 'second-factors', options.keys),
    registries: sealedCollection<Registry>(items, 'registries', options.keys),
    attempts: gatherAttempts(dynamoAttempts(items, clock)),
    sessions: dynamoSessions(items, clock),
    apiTokens: dynamoApiTokens(items, clock),
    tickets: dynamoTickets(items, clock),
    identityProviders: sealedCollection<IdentityProvider>(
      items,
      'identity-providers',
      options.keys,
    ),
    signInSteps: dynamoSignInSteps(items, clock, options.keys),
    setup: dynamoSetup(items),
    settings: dynamoSettings(items, options.pinned),
    hostConnections: dynamoHostConnections(items, clock),
    enrolments: dynamoEnrolments(items, clock),
    stacks: dynamoCollection<StackRecord>(items, 'stacks'),
    deployments: dynamoDeployments(items),
    texts: dynamoTexts(items, options.keys, clock),
    textMarks: dynamoTextMarks(items),
    expiredItems: dynamoExpiredItems(items, logs, leftovers),
    retentionStates: dynamoCollection<RetentionState>(items, 'retention'),
    adoptions: dynamoAdoptions(items, clock, options.keys),
    owners: dynamoOwners(items),
    alertDeliveries: dynamoAlertDeliveries(items, clock),
    alertStates: dynamoAlertStates(items),
    alertEvents: dynamoAlertEvents(logs, clock),
    hostWatches: dynamoCollection<HostWatch>(items, 'host-watches'),
    metricHistory: dynamoMetricHistory(logs, clock),
    leases: dynamoLeases(items, clock),
    backupRuns: dynamoBackupRuns(items, clock, options.keys),
    sealed: sealedItems(items, options.keys, clock),
    auditBlocks: dynamoAuditBlocks(logs),
  } satisfies Omit<Partial<Ports>, 'setup'> & {
    setup: SetupState
    sealed: SealedItems
    auditBlocks: AuditBlocks
  }
}
