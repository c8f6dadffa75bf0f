import type { BodyOf, MessageOf, ResponseOf } from './endpoints.ts'

/** Names for types of the API that more than one function mentions. */
export type Adoption = ResponseOf<'POST', '/stacks/adopt'>
export type AdoptedStack = ResponseOf<'POST', '/stacks/adopt/{id}/complete'>
export type NewAdoption = BodyOf<'POST', '/stacks/adopt'>
export type ComposeProject = ItemOf<ResponseOf<'GET', '/compose-projects'>>
export type Stack = ItemOf<ResponseOf<'GET', '/stacks'>>
export type StackDetails = ResponseOf<'GET', '/stacks/{name}'>
export type StackFile = ItemOf<ResponseOf<'GET', '/stacks/{name}/files'>>
export type StackContents = ResponseOf<'GET', '/stacks/{name}/contents'>
export type NewStack = BodyOf<'POST', '/stacks'>
export type StackChange = BodyOf<'PUT', '/stacks/{name}'>
export type StartedUpload = ResponseOf<'POST', '/stacks/{name}/uploads'>
export type ServiceStatus = ItemOf<ResponseOf<'GET', '/stacks/{name}/status'>>
export type Deployment = ResponseOf<'GET', '/stacks/{name}/deployments/{id}'>
export type DeployBody = BodyOf<'POST', '/stacks/{name}/deploy'>
export type PlanBody = BodyOf<'POST', '/stacks/{name}/plan'>
export type RollbackBody = BodyOf<'POST', '/stacks/{name}/rollback'>
export type RunBody = BodyOf<'POST', '/stacks/{name}/services/{service}/run'>
export type PublishBody = BodyOf<'POST', '/stacks/{name}/publish'>
export type PrunedImages = ResponseOf<'POST', '/images/prune'>
export type Publication = ResponseOf<'POST', '/stacks/{name}/publish'>
export type StackLogMessage = MessageOf<'/ws/stacks/{name}/logs'>
export type StatsMessage = MessageOf<'/ws/stats/{id}'>
export type Operation = ResponseOf<'GET', '/operations/{id}'>
export type OperationHead = ItemOf<ResponseOf<'GET', '/operations'>>
export type Estate = BodyOf<'POST', '/estate/plan'>
export type EstatePlan = ResponseOf<'POST', '/estate/plan'>
export type EventMessage = MessageOf<'/ws/events'>
export type PullMessage = MessageOf<'/ws/images/pull'>
export type Container = ItemOf<ResponseOf<'GET', '/containers'>>
export type ContainerDetails = ResponseOf<'GET', '/containers/{id}'>
export type Image = ResponseOf<'POST', '/images/pull'>
export type PullImageBody = BodyOf<'POST', '/images/pull'>
export type UpgradeCheck = ResponseOf<'POST', '/service/upgrade/check'>
export type ServiceUpgrade = ResponseOf<'GET', '/service/upgrade'>
export type Host = ItemOf<ResponseOf<'GET', '/hosts'>>
export type HostChange = BodyOf<'PUT', '/hosts/{id}'>
export type Enrolment = ResponseOf<'POST', '/hosts/{id}/enrolment'>
export type BackupJob = ItemOf<ResponseOf<'GET', '/backup-jobs'>>
export type NewBackupJob = BodyOf<'POST', '/backup-jobs'>
export type BackupJobChange = BodyOf<'PUT', '/backup-jobs/{id}'>
export type BackupRun = ItemOf<ResponseOf<'GET', '/backup-runs'>>
export type RestoreBody = BodyOf<'POST', '/backup-runs/{id}/restore'>
export type AlertChannel = ItemOf<ResponseOf<'GET', '/alert-channels'>>
export type NewAlertChannel = BodyOf<'POST', '/alert-channels'>
export type AlertChannelChange = BodyOf<'PUT', '/alert-channels/{id}'>
export type AlertEvent = ItemOf<ResponseOf<'GET', '/alert-events'>>
export type AlertRule = ItemOf<ResponseOf<'GET', '/alert-rules'>>
export type NewAlertRule = BodyOf<'POST', '/alert-rules'>
export type AlertRuleChange = BodyOf<'PUT', '/alert-rules/{id}'>
export type AuditRow = ItemOf<ResponseOf<'GET', '/audit'>>
export type AuditVerdict = ResponseOf<'GET', '/audit/verify'>
export type SecretKey = ItemOf<ResponseOf<'GET', '/secret-keys'>>
export type Source = ItemOf<ResponseOf<'GET', '/sources'>>
export type SourceFolders = ResponseOf<'GET', '/sources/{name}/folders'>
export type NewRegistry = BodyOf<'POST', '/registries'>
export type SignInProvider = ItemOf<ResponseOf<'GET', '/auth/oidc/providers'>>
export type Update = ItemOf<ResponseOf<'GET', '/updates'>>
export type UpdatePolicy = ResponseOf<'GET', '/stacks/{name}/update-policy'>
export type UpdatePolicyBody = BodyOf<'PUT', '/stacks/{name}/update-policy'>
export type StackHook = ResponseOf<'GET', '/stacks/{name}/hook'>
export type StackHookSecret = ResponseOf<'POST', '/stacks/{name}/hook/rotate'>
export type StackSource = ResponseOf<'GET', '/stacks/{name}/source'>
export type PrunePolicy = ResponseOf<'GET', '/hosts/{id}/prune-policy'>
export type PrunePolicyBody = BodyOf<'PUT', '/hosts/{id}/prune-policy'>
export type PrunePreview = ResponseOf<'GET', '/hosts/{id}/prune-policy/preview'>
export type OidcProvider = ItemOf<ResponseOf<'GET', '/oidc-providers'>>
export type NewOidcProvider = BodyOf<'POST', '/oidc-providers'>
export type OidcProviderChange = BodyOf<'PUT', '/oidc-providers/{id}'>
export type Ticket = ResponseOf<'POST', '/ws/ticket'>
export type TokenPair = ResponseOf<'POST', '/auth/refresh'>
export type CreateApiTokenBody = BodyOf<'POST', '/api-tokens'>
export type NewRole = BodyOf<'POST', '/roles'>
export type RoleChange = BodyOf<'PUT', '/roles/{name}'>
export type User = ItemOf<ResponseOf<'GET', '/users'>>
export type Volume = ItemOf<ResponseOf<'GET', '/volumes'>>
export type VolumeSize = ItemOf<ResponseOf<'GET', '/volume-sizes'>>
export type NewUser = BodyOf<'POST', '/users'>
export type UserChange = BodyOf<'PUT', '/users/{id}'>

/** A list of one host, or of every host with `--host all`. */
export type HostList<Item> =
  | Item[]
  | { items: Item[]; unreachable_hosts: { host_id: string; error: string }[] }

type ItemOf<List> = Extract<List, readonly unknown[]>[number]
