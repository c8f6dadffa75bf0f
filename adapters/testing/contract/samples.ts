import { plainOptions } from '../../../functions/core/deploy/request.ts'
import type { Account, ApiToken, Session } from '../../../functions/core/records/account.ts'
import type { AlertChannel } from '../../../functions/core/records/alert-channel.ts'
import type { AlertEvent } from '../../../functions/core/records/alert-event.ts'
import type { BackupJob } from '../../../functions/core/records/backup-job.ts'
import { type BackupRun, noProgress } from '../../../functions/core/records/backup-run.ts'
import type { Deployment } from '../../../functions/core/records/deployment.ts'
import type { HeldBackImage } from '../../../functions/core/records/held-back-image.ts'
import type { Operation } from '../../../functions/core/records/operation.ts'
import type { StackRecord } from '../../../functions/core/records/stack.ts'
import type { JobRun, StackJob } from '../../../functions/core/records/stack-job.ts'
import { firstIdAt } from '../../../functions/core/records/time-range.ts'
import type { InheritedPolicy } from '../../../functions/core/records/update-policy.ts'

export const account = (id: string, username: string): Account => ({
  id,
  username,
  email: null,
  role: 'operator',
  scopeTags: ['lab'],
  passwordHash: 'hash',
  disabled: false,
  mfaEnabled: false,
  createdAt: 1,
  lastLoginAt: null,
  sessionsValidFrom: 0,
})

/** Returns a session that expires at `expiresAt`, milliseconds since the epoch. */
export const session = (id: string, accountId: string, expiresAt: number): Session => ({
  id,
  accountId,
  familyHash: 'family',
  currentHash: 'first',
  generation: 0,
  remember: false,
  createdAt: 1,
  lastUsedAt: 1,
  expiresAt,
  ip: '127.0.0.1',
  userAgent: 'test',
})

/** Returns an API token of an account. By default it never expires. */
export const apiToken = (
  id: string,
  accountId: string,
  expiresAt: number | null = null,
): ApiToken => ({
  id,
  accountId,
  name: `token ${id}`,
  prefix: 'cst_1234',
  hash: `hash-of-${id}`,
  scopeTags: [],
  createdAt: 1,
  expiresAt,
  lastUsedAt: null,
})

/** An id that was made at this time. Milliseconds since the epoch. */
export const idMadeAt = (at: number) => `${firstIdAt(at)}-7000-8000-000000000000`

/** Returns a stack that was never deployed. */
export const stack = (id: string): StackRecord => ({
  id,
  hostId: 'local',
  directory: `/opt/stacks/${id}`,
  adopted: false,
  files: { compose: 'digest', env: null, overlays: { prod: 'other' }, others: {} },
  environment: null,
  contentRevision: 1,
  written: null,
  services: {},
  keptVolumes: {},
  last: null,
  deployed: false,
  createdAt: 1,
  updatedAt: 1,
  deployedAt: null,
})

/** An image that a stack holds back. */
export const heldBackImage: HeldBackImage = {
  name: 'docker.io/library/nginx:1',
  digest: `sha256:${'5'.repeat(64)}`,
  service: 'web',
  reason: 'its health check fails',
  log: ['[emerg] unknown directive'],
  before: `sha256:${'0'.repeat(64)}`,
  deploymentId: idMadeAt(1),
  at: 1,
}

/** Returns an update policy that stacks inherit. */
export const inheritedPolicy = (id: string): InheritedPolicy => ({
  id,
  mode: 'notify',
  window: null,
  minimumAgeHours: 72,
  createdAt: 1,
})

/** Returns a running deployment. */
export const deployment = (id: string, ofStack: string): Deployment => ({
  id,
  kind: 'deploy',
  stack: ofStack,
  hostId: 'local',
  environment: null,
  contentRevision: 1,
  files: stack(ofStack).files,
  options: plainOptions,
  status: 'running',
  error: null,
  startedAt: 1,
  finishedAt: null,
  by: 'ada',
  steps: [],
  images: {},
})

/** Returns an alert that has just started firing. */
export const alertEvent = (id: string): AlertEvent => ({
  id,
  ruleId: 'busy',
  ruleName: 'Busy container',
  metric: 'cpu_percent',
  operator: 'gt',
  subject: { kind: 'container', id: 'c1', name: 'web-1', hostId: 'local', hostName: 'near' },
  state: 'firing',
  value: 93.25,
  threshold: 90,
  severity: 'warning',
  at: 1_700_000_000_000,
})

export const alertChannel = (id: string, name = `channel ${id}`): AlertChannel => ({
  id,
  name,
  target: { kind: 'webhook', url: 'https://hooks.example.org/in?token=t', secret: 'a secret' },
  createdAt: 1,
  updatedAt: 1,
})

/** Returns a job with secrets that backs up a volume. */
export const backupJob = (id: string, name: string): BackupJob => ({
  id,
  name,
  hostId: 'local',
  sources: [{ kind: 'volume', name: 'data' }],
  target: {
    kind: 's3',
    bucket: 'backups',
    prefix: '',
    region: 'eu-central-1',
    endpoint: null,
    forcePathStyle: false,
    accessKeyId: 'key',
    secretAccessKey: 'a secret',
  },
  schedule: '0 3 * * *',
  timezone: 'UTC',
  retention: { keepLast: 7, keepDays: null },
  encrypt: false,
  stopServices: false,
  hooks: { before: null, after: null },
  enabled: true,
  nextRunAt: 1,
  lastRun: null,
  createdAt: 1,
  updatedAt: 1,
})

/** Returns a running backup. */
export const backupRun = (id: string, jobId: string): BackupRun => ({
  id,
  kind: 'backup',
  jobId,
  jobName: 'nightly',
  hostId: 'local',
  status: 'running',
  error: null,
  startedAt: 1,
  finishedAt: null,
  by: 'ada',
  target: backupJob(jobId, 'nightly').target,
  directory: `nightly/${id}`,
  location: `s3://backups/nightly/${id}`,
  encrypted: false,
  size: 0,
  sha256: null,
  contents: [],
  progress: noProgress,
  stopped: [],
  leftovers: true,
  fence: 1,
  warnings: [],
})

/** Returns a pull that is running. */
export const operation = (id: string): Operation => ({
  id,
  kind: 'image_pull',
  subject: { kind: 'image', id: 'nginx:1.29', name: 'nginx:1.29' },
  hostId: 'local',
  hostName: 'local',
  by: 'ada',
  readers: { permissions: ['images:pull'], everyHost: false },
  status: 'running',
  error: null,
  reason: null,
  startedAt: 1,
  finishedAt: null,
  result: null,
  isResultCut: false,
  fence: 1,
})

/**
 * Returns a job of a stack that runs every hour.
 *
 * @param stackCreatedAt when the stack was created, in milliseconds since the epoch
 */
export const stackJob = (ofStack: string, name: string, stackCreatedAt: number): StackJob => ({
  id: `${ofStack}.${name}`,
  stack: ofStack,
  name,
  service: 'web',
  command: ['true'],
  schedule: '0 * * * *',
  timezone: 'UTC',
  timeoutSeconds: 60,
  keepRuns: 10,
  enabled: true,
  actsAs: {
    accountId: 'a1',
    username: 'olga',
    since: 1,
    stacks: [{ name: ofStack, createdAt: stackCreatedAt }],
    blocked: null,
  },
  nextRunAt: null,
  runs: [],
  skipped: null,
  createdAt: 1,
  updatedAt: 1,
})

export const jobRun = (id: string, status: JobRun['status'] = 'succeeded'): JobRun => ({
  id,
  status,
  startedAt: 1,
  finishedAt: status === 'running' ? null : 2,
  by: 'schedule',
  exitCode: status === 'succeeded' ? 0 : null,
  error: status === 'failed' ? 'it ended with code 3' : null,
})
