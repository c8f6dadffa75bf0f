import type { StackRecord } from '../core/records/stack.ts'

/** Returns what a request says of data that the client did not send, as the record has it. */
export const unsentDataOf = ({
  unsent_data,
}: {
  unsent_data?: string[] | undefined
}): Pick<StackRecord, 'unsentData'> =>
  unsent_data === undefined ? {} : { unsentData: unsent_data.length > 0 ? unsent_data : undefined }
