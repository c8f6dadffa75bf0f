import { plainOptions } from '../../../functions/core/deploy/request.ts'
import type { AlertEvent } from '../../../functions/core/records/alert-event.ts'
import type { NewAuditRow } from '../../../functions/core/records/audit-row.ts'
import type { Deployment } from '../../../functions/core/records/deployment.ts'
import type { StackRecord } from '../../../functions/core/records/stack.ts'

/** The user of the past, whose account is gone. */
const by = 'Großmutter'

/** Returns a deployment of a stack that ended a second after it began. */
export const pastDeployment = (stack: StackRecord, at: number, id: string): Deployment => ({
  id,
  kind: 'deploy',
  stack: stack.id,
  hostId: stack.hostId,
  environment: null,
  contentRevision: stack.contentRevision,
  files: stack.files,
  options: plainOptions,
  status: 'succeeded',
  error: null,
  startedAt: at,
  finishedAt: at + 1000,
  by,
  steps: [],
  images: {},
})

/** Returns an event of a rule that does not exist any more. */
export const pastEvent = ({ hostId }: StackRecord, at: number, id: string): AlertEvent => ({
  id,
  ruleId: '019a0000-0000-7000-8000-000000000001',
  ruleName: 'Plattenplatz knapp',
  metric: 'disk_percent',
  operator: 'gt',
  subject: { kind: 'host', id: hostId, name: '開発機', hostId, hostName: '開発機' },
  state: 'resolved',
  value: 91.5,
  threshold: 90,
  severity: 'warning',
  at,
})

/** Returns the row of a deployment that succeeded. */
export const pastAuditRow = (stack: StackRecord, at: number, id: string): NewAuditRow => ({
  id,
  at,
  action: 'stacks.deploy',
  outcome: 'succeeded',
  status: 200,
  actor: 'user',
  userId: '019a0000-0000-7000-8000-000000000002',
  username: by,
  credential: null,
  ip: '2001:db8::17',
  userAgent: 'Mozilla/5.0',
  requestId: null,
  subject: { kind: 'stacks', id: stack.id, name: stack.id },
  hosts: [stack.hostId],
  fields: [],
  values: {},
  count: 1,
})
