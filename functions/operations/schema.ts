import { z } from 'zod'
import { LongOperationKind, OperationStatus } from '../core/operations/operation-schema.ts'

export const OperationPath = z.object({
  id: z.string().min(1).max(64).describe('Id of the operation'),
})

/** The maximum number of operations in a list. */
export const operationsMax = 200

export const OperationsQuery = z.object({
  kind: LongOperationKind.optional().meta({ description: 'Only operations of this kind' }),
  status: OperationStatus.optional().meta({ description: 'Only operations with this status' }),
  before: z.string().min(1).max(64).optional().meta({
    description:
      'Only operations that started before the one with this id. The id of the last entry of a list that was cut (`X-Result-Truncated`) gives the next ones',
  }),
})
