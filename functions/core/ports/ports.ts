import type { AccessTokens } from './access-tokens.ts'
import type { Accounts } from './accounts.ts'
import type { Addresses } from './addresses.ts'
import type { AgentPrograms } from './agent-programs.ts'
import type { AlertChannels } from './alert-channels.ts'
import type { AlertDeliveries } from './alert-deliveries.ts'
import type { AlertEvents } from './alert-events.ts'
import type { AlertRules } from './alert-rules.ts'
import type { AlertSender } from './alert-sender.ts'
import type { AlertStates } from './alert-states.ts'
import type { ApiTokens } from './api-tokens.ts'
import type { ArtifactRegistry } from './artifact-registry.ts'
import type { Attempts } from './attempts.ts'
import type { Audit } from './audit.ts'
import type { Authority } from './authority.ts'
import type { Background } from './background.ts'
import type { BackupCodec } from './backup-codec.ts'
import type { BackupJobs } from './backup-jobs.ts'
import type { BackupRuns } from './backup-runs.ts'
import type { BackupTargets } from './backup-targets.ts'
import type { BrowserSecrets } from './browser-secrets.ts'
import type { CallerLimiter } from './caller-limiter.ts'
import type { Clock } from './clock.ts'
import type { Composer } from './composer.ts'
import type { Deployments } from './deployments.ts'
import type { Engines } from './engines.ts'
import type { Enrolments } from './enrolments.ts'
import type { Estates } from './estates.ts'
import type { ExpiredItems } from './expired-items.ts'
import type { HostConnections } from './host-connections.ts'
import type { HostGauges } from './host-gauges.ts'
import type { HostStopsStore } from './host-stops.ts'
import type { HostWatches } from './host-watches.ts'
import type { Hosts } from './hosts.ts'
import type { IdempotentRequests } from './idempotent-requests.ts'
import type { Identities } from './identities.ts'
import type { IdentityProviders } from './identity-providers.ts'
import type { ImageLooks } from './image-looks.ts'
import type { ImageRegistry } from './image-registry.ts'
import type { JobLogs } from './job-logs.ts'
import type { Leases } from './leases.ts'
import type { Log } from './log.ts'
import type { MetricHistory } from './metric-history.ts'
import type { OneOffs } from './one-offs.ts'
import type { OpenId } from './open-id.ts'
import type { Operations } from './operations.ts'
import type { Outbound } from './outbound.ts'
import type { OwnProcess } from './own-process.ts'
import type { Owners } from './owners.ts'
import type { Pages } from './pages.ts'
import type { Passkeys } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import type { PrunePolicies } from './prune-policies.ts'
import type { Random } from './random.ts'
import type { Registries } from './registries.ts'
import type { Reminders } from './reminders.ts'
import type { RetentionStates } from './retention-states.ts'
import type { Roles } from './roles.ts'
import type { SecondFactors } from './second-factors.ts'
import type { Secrets } from './secrets.ts'
import type { SelfCheck } from './self-check.ts'
import type { ServiceEvents } from './service-events.ts'
import type { ServiceProcesses } from './service-processes.ts'
import type { ServiceUpgrades } from './service-upgrades.ts'
import type { Sessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import type { Setup } from './setup.ts'
import type { SignInSteps } from './sign-in-steps.ts'
import type { Site } from './site.ts'
import type { SourceHooks } from './source-hooks.ts'
import type { SourceKeys } from './source-keys.ts'
import type { SourceReader } from './source-reader.ts'
import type { Sources } from './sources.ts'
import type { StackHooks } from './stack-hooks.ts'
import type { StackJobs } from './stack-jobs.ts'
import type { Stacks } from './stacks.ts'
import type { Streams } from './streams.ts'
import type { SystemArchive } from './system-archive.ts'
import type { TextMarks } from './text-marks.ts'
import type { Texts } from './texts.ts'
import type { Tickets } from './tickets.ts'
import type { UpdatePolicies } from './update-policies.ts'
import type { Uploads } from './uploads.ts'
import type { UsageHistory } from './usage-history.ts'
import type { VariableSets } from './variable-sets.ts'

/**
 * Every interface to the outside world. A handler names the ports it needs, as in
 * `Needs<'stacks' | 'engines'>`, and gets no others. Only the composition roots build them. Stores
 * throw a `Failure` 500 if they cannot answer within their deadline.
 */
export interface Ports {
  clock: Clock
  random: Random
  reminders: Reminders
  accounts: Accounts
  roles: Roles
  secondFactors: SecondFactors
  passkeys: Passkeys
  attempts: Attempts
  sessions: Sessions
  apiTokens: ApiTokens
  tickets: Tickets
  idempotentRequests: IdempotentRequests
  identities: Identities
  passwords: Passwords
  accessTokens: AccessTokens
  browserSecrets: BrowserSecrets
  callerLimiter: CallerLimiter
  identityProviders: IdentityProviders
  signInSteps: SignInSteps
  openId: OpenId
  outbound: Outbound
  setup: Setup
  settings: Settings
  hosts: Hosts
  hostConnections: HostConnections
  enrolments: Enrolments
  authority: Authority
  addresses: Addresses
  stacks: Stacks
  deployments: Deployments
  operations: Operations
  texts: Texts
  textMarks: TextMarks
  expiredItems: ExpiredItems
  retentionStates: RetentionStates
  uploads: Uploads
  oneOffs: OneOffs
  owners: Owners
  alertChannels: AlertChannels
  alertDeliveries: AlertDeliveries
  alertSender: AlertSender
  alertRules: AlertRules
  alertStates: AlertStates
  alertEvents: AlertEvents
  hostStops: HostStopsStore
  hostWatches: HostWatches
  hostGauges: HostGauges
  agentPrograms: AgentPrograms
  metricHistory: MetricHistory
  usageHistory: UsageHistory
  ownProcess: OwnProcess
  serviceProcesses: ServiceProcesses
  serviceUpgrades: ServiceUpgrades
  selfCheck: SelfCheck
  leases: Leases
  backupJobs: BackupJobs
  backupRuns: BackupRuns
  backupTargets: BackupTargets
  backupCodec: BackupCodec
  systemArchive: SystemArchive
  audit: Audit
  secrets: Secrets
  registries: Registries
  artifacts: ArtifactRegistry
  imageRegistry: ImageRegistry
  imageLooks: ImageLooks
  sourceReader: SourceReader
  sourceKeys: SourceKeys
  sources: Sources
  sourceHooks: SourceHooks
  prunePolicies: PrunePolicies
  stackHooks: StackHooks
  stackJobs: StackJobs
  jobLogs: JobLogs
  updatePolicies: UpdatePolicies
  variableSets: VariableSets
  estates: Estates
  engines: Engines
  streams: Streams
  serviceEvents: ServiceEvents
  composer: Composer
  background: Background
  pages: Pages
  site: Site
  log: Log
}

/** The named ports, as a handler declares its dependencies. */
export type Needs<Name extends keyof Ports> = Pick<Ports, Name>
