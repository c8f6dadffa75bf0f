import { z } from 'zod'
import { LongOperationKind, OperationStatus } from '../core/operations/operation-schema.ts'
import { RangeQuery } from '../kit/params.ts'

export const OperationPath = z.object({
  id: z.string().min(1).max(64).describe('Id of the operation'),
})

/** The maximum number of operations in a list. */
export const operationsMax = 200

export const OperationsQuery = z.object({
  kind: LongOperationKind.optional().meta({ description: 'Only operations of this kind' }),
  status: OperationStatus.optional().meta({ description: 'Only operations with this status' }),
  before: RangeQuery.shape.before,
})
