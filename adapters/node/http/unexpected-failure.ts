import { internalFailure } from '../../../functions/core/errors.ts'
import { diskFull } from '../process/disk.ts'

/** Returns the failure for an unexpected error. */
export const unexpectedFailure = (cause: unknown) => diskFull(cause) ?? internalFailure(cause)
