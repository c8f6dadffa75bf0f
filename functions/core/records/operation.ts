import type { Reason } from '../errors.ts'
import type { AuditTrail } from './audit-row.ts'
import type { Permission } from './permissions.ts'

/** The kinds of work that a request can start without waiting and that has no other record. */
export const operationKinds = [
  'image_pull',
  'image_prune',
  'stack_publish',
  'backup_verify',
  'service_pause',
  'service_upgrade',
] as const

export type OperationKind = (typeof operationKinds)[number]

export const operationStatuses = ['running', 'succeeded', 'failed', 'interrupted'] as const

export type OperationStatus = (typeof operationStatuses)[number]

export const operationSubjects = ['image', 'host', 'stack', 'backup_run', 'service'] as const

/** What an operation works on. */
export interface OperationSubject {
  kind: (typeof operationSubjects)[number]
  id: string
  name: string
}

/** The rights without which an operation is not visible: those that starting it takes. */
export interface OperationReaders {
  permissions: readonly Permission[]
  /** Whether it is not visible to a caller who is limited to some hosts. */
  everyHost: boolean
}

/** Long work whose request was answered before its end. Times are milliseconds since the epoch. */
export interface Operation {
  /** A UUIDv7, which sorts by time. */
  id: string
  kind: OperationKind
  subject: OperationSubject
  hostId: string
  hostName: string
  /** The name of the user who started it. */
  by: string
  readers: OperationReaders
  status: OperationStatus
  error: string | null
  reason: Reason | null
  startedAt: number
  finishedAt: number | null
  /**
   * The response that the request would have had if it had waited; null unless it succeeded. For an
   * upgrade of the service it is how far that is, and at its end what became of it.
   */
  result: Readonly<Record<string, unknown>> | null
  /** Whether lists of the result were cut to bound its size. */
  isResultCut: boolean
  /** Set until the audit row of its end is written. Missing if its request has no audit row. */
  unaudited?: AuditTrail | undefined
  /**
   * The fence of the lease under which it was last written. It keeps an earlier holder from
   * overwriting the record of a later one.
   */
  fence: number
}

/** An operation as lists have it. */
export type OperationHead = Omit<Operation, 'result'>

/** How long an operation is kept after its end. Milliseconds. */
export const operationKept = 86_400_000

/** Returns whether an operation runs, or its end is not in the audit log yet. */
export const isOpenOperation = ({ status, unaudited }: OperationHead) =>
  status === 'running' || unaudited !== undefined

/** Returns the time at which an operation is removed; null while it is open. */
export const operationExpiry = (operation: OperationHead): number | null =>
  isOpenOperation(operation) || operation.finishedAt === null
    ? null
    : operation.finishedAt + operationKept

/** Returns the name of the lease that the process of an operation holds. */
export const operationLease = (id: string) => `operation:${id}`
