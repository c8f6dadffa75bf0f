import type { CallerTurns } from './access/caller-turns.ts'
import type {
  AccessTokens,
  Accounts,
  ApiTokens,
  Attempts,
  Identities,
  Passwords,
  Roles,
  SecondFactors,
  Sessions,
  Setup,
  Tickets,
} from './access/ports.ts'
import type { Addresses } from './addresses.ts'
import type { Adoptions } from './adopt/ports.ts'
import type {
  AlertChannels,
  AlertDeliveries,
  AlertEvents,
  AlertRules,
  AlertSender,
  AlertStates,
  HostWatches,
} from './alerts/ports.ts'
import type { Audit } from './audit/ports.ts'
import type {
  BackupCodec,
  BackupJobs,
  BackupRuns,
  BackupTargets,
  SystemArchive,
} from './backups/ports.ts'
import type { Engines } from './engine/ports.ts'
import type { Happenings } from './events/ports.ts'
import type { Streams } from './feeds/ports.ts'
import type { Authority, Enrolments, HostConnections, Hosts } from './hosts/ports.ts'
import type { Leases } from './leases.ts'
import type { HostGauges } from './metrics/figures.ts'
import type { MetricHistory } from './metrics/history.ts'
import type { OwnProcess } from './metrics/own-figures.ts'
import type { Outbound } from './net/ports.ts'
import type { Owners } from './owners/ports.ts'
import type { Pages } from './pages.ts'
import type { Registries } from './registries/registry.ts'
import type { ExpiredItems, RetentionStates, TextMarks } from './retention/ports.ts'
import type { Background, Clock, Log, Random, Site } from './runtime.ts'
import type { Secrets } from './secrets/ports.ts'
import type { SelfCheck } from './self-check.ts'
import type { Settings } from './settings.ts'
import type { IdentityProviders, OpenId, SignInSteps } from './sso/ports.ts'
import type { Composer, Deployments, Stacks, Texts } from './stacks/ports.ts'

/**
 * Every interface to the outside world. A handler names the ports it needs, as in
 * `Needs<'stacks' | 'engines'>`, and gets no others. Only the composition roots build them. Stores
 * throw a `Failure` 500 if they cannot answer within their deadline.
 */
export interface Ports {
  clock: Clock
  random: Random
  accounts: Accounts
  roles: Roles
  secondFactors: SecondFactors
  attempts: Attempts
  sessions: Sessions
  apiTokens: ApiTokens
  tickets: Tickets
  identities: Identities
  passwords: Passwords
  accessTokens: AccessTokens
  callerTurns: CallerTurns
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
  texts: Texts
  textMarks: TextMarks
  expiredItems: ExpiredItems
  retentionStates: RetentionStates
  adoptions: Adoptions
  owners: Owners
  alertChannels: AlertChannels
  alertDeliveries: AlertDeliveries
  alertSender: AlertSender
  alertRules: AlertRules
  alertStates: AlertStates
  alertEvents: AlertEvents
  hostWatches: HostWatches
  hostGauges: HostGauges
  metricHistory: MetricHistory
  ownProcess: OwnProcess
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
  engines: Engines
  streams: Streams
  happenings: Happenings
  composer: Composer
  background: Background
  pages: Pages
  site: Site
  log: Log
}

/** The named ports, as a handler declares its dependencies. */
export type Needs<Name extends keyof Ports> = Pick<Ports, Name>
