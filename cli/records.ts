import type { z } from 'zod'
import type * as alertChannels from '../functions/alert-channels/schema.ts'
import type * as alertDeliveries from '../functions/alert-deliveries/schema.ts'
import type * as alertEvents from '../functions/alert-events/schema.ts'
import type * as alertRules from '../functions/alert-rules/schema.ts'
import type * as alerts from '../functions/alerts/schema.ts'
import type * as tokens from '../functions/api-tokens/schema.ts'
import type * as audit from '../functions/audit/schema.ts'
import type * as sso from '../functions/auth/oidc/schema.ts'
import type * as backupJobs from '../functions/backup-jobs/schema.ts'
import type * as backupRestores from '../functions/backup-runs/schema.ts'
import type * as projects from '../functions/compose-projects/schema.ts'
import type * as containers from '../functions/containers/schema.ts'
import type * as users from '../functions/core/access/user.ts'
import type * as backupRuns from '../functions/core/backups/run-schema.ts'
import type { SettingValues } from '../functions/core/settings.ts'
import type * as feeds from '../functions/feeds/schema.ts'
import type * as hosts from '../functions/hosts/schema.ts'
import type * as images from '../functions/images/schema.ts'
import type * as mfa from '../functions/me/mfa/schema.ts'
import type * as me from '../functions/me/schema.ts'
import type * as networks from '../functions/networks/schema.ts'
import type * as registries from '../functions/registries/schema.ts'
import type * as roles from '../functions/roles/schema.ts'
import type * as secretKeys from '../functions/secret-keys/schema.ts'
import type * as adoptions from '../functions/stacks/adopt/schema.ts'
import type * as deployments from '../functions/stacks/deployment-schema.ts'
import type * as stacks from '../functions/stacks/schema.ts'
import type * as accounts from '../functions/users/schema.ts'
import type * as volumes from '../functions/volumes/schema.ts'

/** Types of the API's requests and responses, derived from the schemas of its endpoints. */
export type Stack = z.output<typeof stacks.Stack>
export type Alert = z.output<typeof alerts.Alert>
export type AlertRule = z.output<typeof alertRules.AlertRule>
export type AlertEvent = z.output<typeof alertEvents.AlertEvent>
export type StackDetails = z.output<typeof stacks.StackDetails>
export type NewStack = z.input<typeof stacks.NewStack>
export type StackChange = z.input<typeof stacks.StackChange>
export type ServiceStatus = z.output<typeof stacks.ServiceStatus>
export type LogMessage = z.output<typeof feeds.LogMessage>
export type StackLogMessage = z.output<typeof feeds.StackLogMessage>
export type EventMessage = z.output<typeof feeds.EventMessage>
export type StatsMessage = z.output<typeof feeds.StatsMessage>
export type StackLogLine = z.output<typeof stacks.StackLogLine>
export type PlannedStep = z.output<typeof deployments.Step>
export type Deployment = z.output<typeof deployments.Deployment>
export type DeployOrder = z.input<typeof deployments.DeployOrder>
export type RollbackOrder = z.input<typeof deployments.RollbackOrder>
export type RestartOrder = z.input<typeof deployments.RestartOrder>
export type ComposeProject = z.output<typeof projects.ComposeProject>
export type Adoption = z.output<typeof adoptions.Adoption>
export type NewAdoption = z.input<typeof adoptions.NewAdoption>
export type AdoptionProgress = z.output<typeof adoptions.AdoptionProgress>
export type AdoptedStack = z.output<typeof adoptions.AdoptedStack>
export type Container = z.output<typeof containers.Container>
export type LogLine = z.output<typeof containers.LogLine>
export type Image = z.output<typeof images.Image>
export type PullOrder = z.input<typeof images.PullOrder>
export type PrunedImages = z.output<typeof images.PrunedImages>
export type Network = z.output<typeof networks.Network>
export type Volume = z.output<typeof volumes.Volume>
export type Host = z.output<typeof hosts.Host>
export type Enrolment = z.output<typeof hosts.Enrolment>
export type CreatedHost = z.output<typeof hosts.CreatedHost>

export type BackupJob = z.output<typeof backupJobs.Job>
export type NewBackupJob = z.input<typeof backupJobs.CreateJobBody>
export type BackupJobChange = z.input<typeof backupJobs.UpdateJobBody>
export type BackupRun = z.output<typeof backupRuns.Run>
export type BackupVerdict = z.output<typeof backupRestores.Verdict>
export type RestoreOrder = z.input<typeof backupRestores.RestoreBody>
export type AlertChannel = z.output<typeof alertChannels.AlertChannel>
export type AlertChannelTest = z.output<typeof alertChannels.AlertChannelTest>
export type AlertDelivery = z.output<typeof alertDeliveries.AlertDelivery>

export type AuditRow = z.output<typeof audit.AuditRow>
export type Registry = z.output<typeof registries.Registry>
export type NewRegistry = z.input<typeof registries.CreateRegistryBody>
export type SecretKey = z.output<typeof secretKeys.SecretKey>
export type AuditVerdict = z.output<typeof audit.AuditVerdict>

export type AuditLink = z.output<typeof audit.AuditLink>

export type Me = z.output<typeof me.Me>
export type SignInProvider = z.output<typeof sso.SignInProvider>
export type NewMfa = z.output<typeof mfa.NewMfa>
export type RecoveryCodes = z.output<typeof mfa.RecoveryCodes>
export type ApiToken = z.output<typeof tokens.ApiTokenShown>
export type NewApiToken = z.output<typeof tokens.CreatedApiToken>
export type ApiTokenOrder = z.input<typeof tokens.CreateApiTokenBody>
export type User = z.output<typeof users.User>
export type UserChange = z.input<typeof accounts.UpdateUserBody>
export type Role = z.output<typeof roles.Role>
export type NewRole = z.input<typeof roles.CreateRoleBody>
export type RoleChange = z.input<typeof roles.UpdateRoleBody>
export type Settings = SettingValues
export type HostChange = z.input<typeof hosts.UpdateHostBody>
export type NewUser = z.input<typeof accounts.CreateUserBody>

/** A list over all hosts: `--host all`. */
export interface FanOut<Item> {
  items: Item[]
  unreachable_hosts: { host_id: string; error: string }[]
}
