import type { AuditBlocks } from '../../functions/core/ports/audit-blocks.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Ports } from '../../functions/core/ports/ports.ts'
import type { SecondFactor } from '../../functions/core/records/account.ts'
import type { CustomRole } from '../../functions/core/records/custom-role.ts'
import type { EstateRecord } from '../../functions/core/records/estate.ts'
import type { Host } from '../../functions/core/records/host.ts'
import type { HostStops } from '../../functions/core/records/host-stops.ts'
import type { HostWatch } from '../../functions/core/records/host-watch.ts'
import type { IdentityProvider } from '../../functions/core/records/identity-provider.ts'
import type { ImageLook } from '../../functions/core/records/image-look.ts'
import type { ServiceProcess } from '../../functions/core/records/installation.ts'
import type { OneOff } from '../../functions/core/records/one-off.ts'
import type { PasskeySet } from '../../functions/core/records/passkey.ts'
import type { PrunePolicy } from '../../functions/core/records/prune-policy.ts'
import type { Registry } from '../../functions/core/records/registry.ts'
import type { RetentionState } from '../../functions/core/records/retention-state.ts'
import type { SettingValues } from '../../functions/core/records/settings.ts'
import type { Source } from '../../functions/core/records/source.ts'
import type { SourceHook } from '../../functions/core/records/source-hook.ts'
import type { StackRecord } from '../../functions/core/records/stack.ts'
import type { StackHook } from '../../functions/core/records/stack-hook.ts'
import type { JobLog, StackJob } from '../../functions/core/records/stack-job.ts'
import type { InheritedPolicy } from '../../functions/core/records/update-policy.ts'
import type { VariableSet } from '../../functions/core/records/variable-set.ts'
import { storedAccounts } from './accounts.ts'
import { storedAlertChannels } from './alert-channels.ts'
import { storedAlertDeliveries } from './alert-deliveries.ts'
import { storedAlertEvents } from './alert-events.ts'
import { storedAlertRules } from './alert-rules.ts'
import { storedAlertStates } from './alert-states.ts'
import { storedApiTokens } from './api-tokens.ts'
import { storedAttempts } from './attempts.ts'
import { storedAuditBlocks } from './audit-blocks.ts'
import { storedBackupJobs } from './backup-jobs.ts'
import { storedBackupRuns } from './backup-runs.ts'
import { storedCollection } from './collection.ts'
import { storedDeployments } from './deployments.ts'
import { storedEnrolments } from './enrolments.ts'
import { storedExpiredItems } from './expired-items.ts'
import { gatherAttempts } from './gather-attempts.ts'
import { guardedNames } from './guarded-names.ts'
import { storedHostConnections } from './host-connections.ts'
import { storedHosts } from './hosts.ts'
import { storedIdempotentRequests } from './idempotent-requests.ts'
import { storedLeases } from './leases.ts'
import { storedMetricHistory } from './metric-history.ts'
import { storedOperations } from './operations.ts'
import { storedOwners } from './owners.ts'
import type { SecretKeys } from './sealed.ts'
import { sealedCollection } from './sealed-collection.ts'
import { type SealedItems, sealedItems } from './sealed-items.ts'
import { storedSessions } from './sessions.ts'
import { storedSettings } from './settings.ts'
import { type SetupState, storedSetup } from './setup.ts'
import { storedSignInSteps } from './sign-in-steps.ts'
import type { StoreTables } from './store.ts'
import { storedTextMarks } from './text-marks.ts'
import { storedTexts } from './texts.ts'
import { storedTickets } from './tickets.ts'
import { storedUploads } from './uploads.ts'
import { storedUsageHistory } from './usage-history.ts'

/** Dependencies of the stores besides the tables. */
export interface StoreOptions {
  clock: Clock
  /** The local host as configured. */
  local: Host
  /** Settings from the configuration file and the environment. */
  pinned: Partial<SettingValues>
  keys: SecretKeys
  /** Whether a lease ends when its holder no longer renews it. Default: true. */
  leasesExpire?: boolean
}

/**
 * Returns every port that stores something, on the two tables. `setup` and the audit are the parts
 * that all processes share.
 */
export function storedPorts({ items, logs }: StoreTables, options: StoreOptions) {
  const { clock } = options
  const named = {
    accounts: storedAccounts(items, clock),
    hosts: storedHosts(items, clock, options.local),
    alertRules: storedAlertRules(items, clock),
    alertChannels: storedAlertChannels(items, clock, options.keys),
    backupJobs: storedBackupJobs(items, clock, options.keys),
  }
  const leftovers = { clock, hosts: named.hosts, names: guardedNames(named) }
  return {
    ...named,
    roles: storedCollection<CustomRole>(items, 'roles'),
    secondFactors: sealedCollection<SecondFactor>(items, 'second-factors', options.keys),
    passkeys: sealedCollection<PasskeySet>(items, 'passkeys', options.keys),
    registries: sealedCollection<Registry>(items, 'registries', options.keys),
    attempts: gatherAttempts(storedAttempts(items, clock)),
    sessions: storedSessions(items, clock),
    apiTokens: storedApiTokens(items, clock),
    tickets: storedTickets(items, clock),
    identityProviders: sealedCollection<IdentityProvider>(
      items,
      'identity-providers',
      options.keys,
    ),
    signInSteps: storedSignInSteps(items, clock, options.keys),
    idempotentRequests: storedIdempotentRequests(items, clock, options.keys),
    setup: storedSetup(items),
    settings: storedSettings(items, options.pinned),
    hostConnections: storedHostConnections(items, clock),
    enrolments: storedEnrolments(items, clock),
    stacks: storedCollection<StackRecord>(items, 'stacks'),
    deployments: storedDeployments(items),
    operations: storedOperations(items, clock),
    texts: storedTexts(items, options.keys, clock),
    textMarks: storedTextMarks(items),
    expiredItems: storedExpiredItems(items, logs, leftovers),
    retentionStates: storedCollection<RetentionState>(items, 'retention'),
    uploads: storedUploads(items, clock, options.keys),
    owners: storedOwners(items),
    alertDeliveries: storedAlertDeliveries(items, clock),
    alertStates: storedAlertStates(items),
    alertEvents: storedAlertEvents(logs, clock),
    hostStops: storedCollection<HostStops>(items, 'host-stops'),
    oneOffs: storedCollection<OneOff>(items, 'one-offs'),
    hostWatches: storedCollection<HostWatch>(items, 'host-watches'),
    imageLooks: storedCollection<ImageLook>(items, 'image-looks'),
    prunePolicies: storedCollection<PrunePolicy>(items, 'prune-policies'),
    stackHooks: sealedCollection<StackHook>(items, 'stack-hooks', options.keys),
    stackJobs: sealedCollection<StackJob>(items, 'stack-jobs', options.keys),
    jobLogs: sealedCollection<JobLog>(items, 'job-logs', options.keys),
    sources: sealedCollection<Source>(items, 'sources', options.keys),
    sourceHooks: sealedCollection<SourceHook>(items, 'source-hooks', options.keys),
    updatePolicies: storedCollection<InheritedPolicy>(items, 'update-policies'),
    variableSets: sealedCollection<VariableSet>(items, 'variable-sets', options.keys),
    estates: storedCollection<EstateRecord>(items, 'estates'),
    serviceProcesses: storedCollection<ServiceProcess>(items, 'service-processes'),
    metricHistory: storedMetricHistory(logs, clock),
    usageHistory: storedUsageHistory(logs, clock),
    leases: storedLeases(items, clock, options.leasesExpire),
    backupRuns: storedBackupRuns(items, clock, options.keys),
    sealed: sealedItems(items, options.keys, clock),
    auditBlocks: storedAuditBlocks(logs),
  } satisfies Omit<Partial<Ports>, 'setup'> & {
    setup: SetupState
    sealed: SealedItems
    auditBlocks: AuditBlocks
  }
}
