import type { Account, ApiToken, Session } from '../../functions/core/access/account.ts'
import type { AlertChannel } from '../../functions/core/alerts/channel.ts'
import type { AlertEvent } from '../../functions/core/alerts/event.ts'
import type { Deployment, StackRecord } from '../../functions/core/stacks/stack.ts'

/** An account of that name and id. */
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

/** A session that ends at that instant. */
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

/** A token of an account; it never expires unless told. */
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

/** A stack that was saved and never deployed. */
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

/** A deployment that runs. */
export const deployment = (id: string, ofStack: string): Deployment => ({
  id,
  kind: 'deploy',
  stack: ofStack,
  hostId: 'local',
  environment: null,
  contentRevision: 1,
  files: stack(ofStack).files,
  options: { pull: null, forceRecreate: false, removeOrphans: false, services: [], volumes: false },
  status: 'running',
  error: null,
  startedAt: 1,
  finishedAt: null,
  by: 'ada',
  steps: [],
  images: {},
})

/** An alert of that id that began a moment ago. */
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

/** A channel of that id and name. */
export const alertChannel = (id: string, name = id): AlertChannel => ({
  id,
  name,
  target: { kind: 'webhook', url: 'https://hooks.example.org/in?token=t', secret: 'a secret' },
  createdAt: 1,
  updatedAt: 1,
})
