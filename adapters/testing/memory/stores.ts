import { CallerQueues } from '../../../functions/core/access/caller-queues.ts'
import { directIdentities } from '../../../functions/core/access/identities.ts'
import { openServiceEvents } from '../../../functions/core/events/open.ts'
import { sharedStreams } from '../../../functions/core/feeds/shared-streams.ts'
import { hostProblem } from '../../../functions/core/net/outbound-rules.ts'
import type { Addresses } from '../../../functions/core/ports/addresses.ts'
import type { Outbound } from '../../../functions/core/ports/outbound.ts'
import type { Ports } from '../../../functions/core/ports/ports.ts'
import type { AlertChannel } from '../../../functions/core/records/alert-channel.ts'
import type { AlertRule } from '../../../functions/core/records/alert-rule.ts'
import type { BackupJob } from '../../../functions/core/records/backup-job.ts'
import { hourlyReminders } from '../../../functions/core/time/hourly-reminders.ts'
import { memoryAccessTokens } from './access-tokens.ts'
import { memoryAccounts } from './accounts.ts'
import { memoryAgentPrograms } from './agent-programs.ts'
import { memoryAlertDeliveries } from './alert-deliveries.ts'
import { memoryAlertEvents } from './alert-events.ts'
import { memoryAlertSender } from './alert-sender.ts'
import { memoryAlertStates } from './alert-states.ts'
import { memoryApiTokens } from './api-tokens.ts'
import { memoryArtifacts } from './artifacts.ts'
import { memoryAttempts } from './attempts.ts'
import { memoryAudit } from './audit.ts'
import { memoryAuthority } from './authority.ts'
import { memoryBackground } from './background.ts'
import { memoryBackupCodec, memoryBackupTargets } from './backup-blobs.ts'
import { memoryBackupRuns } from './backup-runs.ts'
import { memoryBrowserSecrets } from './browser-secrets.ts'
import { memoryClock } from './clock.ts'
import { memoryCollection } from './collection.ts'
import { memoryComposer } from './composer.ts'
import { memoryDeployments } from './deployments.ts'
import { memoryEngine } from './engine.ts'
import { memoryEngines } from './engines.ts'
import { memoryEnrolments } from './enrolments.ts'
import { memoryExpiredItems } from './expired-items.ts'
import { memoryHostConnections } from './host-connections.ts'
import { memoryHostGauges, memoryOwnProcess } from './host-gauges.ts'
import { memoryHosts } from './hosts.ts'
import { memoryIdempotentRequests } from './idempotent-requests.ts'
import { memoryImageRegistry } from './image-registry.ts'
import { memoryLeases } from './leases.ts'
import { memoryLog } from './log.ts'
import { memoryMetricHistory } from './metric-history.ts'
import { memoryOpenId } from './open-id.ts'
import { memoryOperations } from './operations.ts'
import { memoryOwners } from './owners.ts'
import { memoryPages } from './pages.ts'
import { memoryPasswords } from './passwords.ts'
import { memoryRandom } from './random.ts'
import { memorySecrets } from './secrets.ts'
import { memoryServiceUpgrades } from './service-upgrades.ts'
import { memorySessions } from './sessions.ts'
import { memorySettings } from './settings.ts'
import { memorySetup } from './setup.ts'
import { memorySignInSteps } from './sign-in-steps.ts'
import { memorySourceKeys } from './source-keys.ts'
import { memorySourceReader } from './source-reader.ts'
import { memorySystemArchive } from './system-archive.ts'
import { memoryTexts } from './texts.ts'
import { memoryTickets } from './tickets.ts'
import { memoryUploads } from './uploads.ts'
import { memoryUsageHistory } from './usage-history.ts'

/** The public addresses of a service. */
const memoryAddresses: Addresses = {
  base: () => 'https://stacks.example.org',
  agents: () => 'stacks.example.org:8443',
  stacksDirectory: '/opt/stacks',
}

/** The set-up secret of `memoryPorts`. */
export const memorySetupSecret = 'setup-secret'

/**
 * Every port in memory, with additional methods for tests: move the clock, read the log, wait for
 * the background work.
 */
export type MemoryPorts = ReturnType<typeof everyPort>

/**
 * Returns all ports, empty; two calls share nothing. A given port replaces the one of that name.
 * The host `local` has an Engine in memory, `engines.local`.
 */
export function memoryPorts<Given extends Partial<Ports> = Record<never, never>>(
  given: Given = {} as Given,
): Omit<MemoryPorts, keyof Given> & Given {
  const ports = everyPort(given)
  return { ...ports, ...given }
}

function everyPort(given: Partial<Ports>) {
  const clock = given.clock ?? memoryClock()
  const accounts = given.accounts ?? memoryAccounts()
  const roles = given.roles ?? (memoryCollection() as Ports['roles'])
  const sessions = given.sessions ?? memorySessions(clock)
  const apiTokens = given.apiTokens ?? memoryApiTokens(clock)
  const random = memoryRandom(clock)
  const log = memoryLog()
  const ports = {
    clock: clock as ReturnType<typeof memoryClock>,
    random,
    reminders: hourlyReminders(clock),
    accounts,
    roles,
    secondFactors: memoryCollection() as Ports['secondFactors'],
    passkeys: memoryCollection() as Ports['passkeys'],
    registries: memoryCollection() as Ports['registries'],
    attempts: memoryAttempts(clock),
    sessions,
    apiTokens,
    tickets: memoryTickets(clock),
    identities: directIdentities({ accounts, roles, sessions, apiTokens }),
    passwords: memoryPasswords(),
    accessTokens: memoryAccessTokens(clock),
    browserSecrets: memoryBrowserSecrets(),
    callerLimiter: new CallerQueues(),
    identityProviders: memoryCollection() as Ports['identityProviders'],
    signInSteps: memorySignInSteps(clock),
    idempotentRequests: memoryIdempotentRequests(clock),
    openId: memoryOpenId(),
    outbound: {
      refusal: (host, port) => hostProblem([], host, port),
    } satisfies Outbound as Outbound,
    setup: memorySetup(memorySetupSecret),
    settings: memorySettings(),
    hosts: memoryHosts(),
    hostConnections: memoryHostConnections(clock),
    enrolments: memoryEnrolments(clock),
    authority: memoryAuthority(clock),
    addresses: memoryAddresses,
    stacks: memoryCollection() as Ports['stacks'],
    deployments: memoryDeployments(),
    operations: memoryOperations(clock),
    ...memoryTexts(clock),
    expiredItems: memoryExpiredItems,
    retentionStates: memoryCollection() as Ports['retentionStates'],
    uploads: memoryUploads(clock),
    owners: memoryOwners(),
    alertChannels: memoryCollection<AlertChannel>(({ name }) => [name.toLowerCase()]),
    alertDeliveries: memoryAlertDeliveries(clock),
    alertSender: memoryAlertSender(),
    artifacts: memoryArtifacts(),
    imageRegistry: memoryImageRegistry(),
    sourceReader: memorySourceReader(),
    sourceKeys: memorySourceKeys(),
    imageLooks: memoryCollection() as Ports['imageLooks'],
    prunePolicies: memoryCollection() as Ports['prunePolicies'],
    stackHooks: memoryCollection() as Ports['stackHooks'],
    stackJobs: memoryCollection() as Ports['stackJobs'],
    jobLogs: memoryCollection() as Ports['jobLogs'],
    sources: memoryCollection() as Ports['sources'],
    sourceHooks: memoryCollection() as Ports['sourceHooks'],
    updatePolicies: memoryCollection() as Ports['updatePolicies'],
    variableSets: memoryCollection() as Ports['variableSets'],
    estates: memoryCollection() as Ports['estates'],
    alertRules: memoryCollection<AlertRule>(({ name }) => [name.toLowerCase()]),
    alertStates: memoryAlertStates(),
    alertEvents: memoryAlertEvents(clock),
    hostStops: memoryCollection() as Ports['hostStops'],
    oneOffs: memoryCollection() as Ports['oneOffs'],
    hostWatches: memoryCollection() as Ports['hostWatches'],
    hostGauges: memoryHostGauges(),
    agentPrograms: memoryAgentPrograms(),
    metricHistory: memoryMetricHistory(clock),
    usageHistory: memoryUsageHistory(clock),
    ownProcess: memoryOwnProcess,
    serviceProcesses: memoryCollection() as Ports['serviceProcesses'],
    serviceUpgrades: memoryServiceUpgrades(clock),
    selfCheck: {
      writable: async () => {},
      disk: async () => ({ used: 4000, total: 10_000 }),
    } as Ports['selfCheck'],
    leases: memoryLeases(clock),
    backupJobs: memoryCollection<BackupJob>((job) => [job.name.toLowerCase()]),
    backupRuns: memoryBackupRuns(),
    backupTargets: memoryBackupTargets(),
    backupCodec: memoryBackupCodec(),
    systemArchive: memorySystemArchive(clock),
    audit: memoryAudit({ clock, random, log }),
    secrets: memorySecrets(clock),
    engines: localEngine(clock.now),
    streams: sharedStreams(),
    composer: memoryComposer(),
    background: memoryBackground(),
    pages: memoryPages(),
    site: { baseUrl: 'https://stacks.example.org', feedsUrl: null } as {
      baseUrl: string | null
      feedsUrl: string | null
    },
    log,
  }
  const all = { ...ports, serviceEvents: openServiceEvents({ ...ports, ...given }) }
  return all satisfies Ports
}

function localEngine(now: () => number) {
  const local = memoryEngine({ now })
  return { ...memoryEngines({ local }), local }
}
