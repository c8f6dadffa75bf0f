import type { z } from 'zod'
import { instant, instantOrNull } from '../access/fields.ts'
import type {
  OperationHead as HeadRecord,
  Operation as OperationRecord,
} from '../records/operation.ts'
import type { Operation, OperationHead } from './operation-schema.ts'

/** Returns an operation in its API form, as a list has it. */
export const operationHeadView = (operation: HeadRecord): z.input<typeof OperationHead> => ({
  id: operation.id,
  kind: operation.kind,
  subject: operation.subject,
  host: operation.hostId,
  host_name: operation.hostName,
  by: operation.by,
  status: operation.status,
  error: operation.error,
  reason: operation.reason,
  started_at: instant(operation.startedAt),
  finished_at: instantOrNull(operation.finishedAt),
  result_truncated: operation.isResultCut,
})

/** Returns an operation in its API form. */
export const operationView = (operation: OperationRecord): z.input<typeof Operation> => ({
  ...operationHeadView(operation),
  result: operation.result,
})
