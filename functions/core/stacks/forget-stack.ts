import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import { type DeleteRecordsPorts, deleteStackRecords } from './delete-records.ts'
import { leaveFiles } from './leave-files.ts'

export type ForgetStackPorts = DeleteRecordsPorts & Needs<'engines'>

/**
 * Deletes the records of a stack and leaves everything on its host as it is. Its files there count
 * as left by the caller, if the host responds.
 *
 * @throws 409 while a deployment of the stack runs
 */
export async function forgetStack(
  stack: StackRecord,
  { account }: Pick<Caller, 'account'>,
  ports: ForgetStackPorts,
): Promise<void> {
  await deleteStackRecords(stack, { account }, ports)
  await leaveFiles(stack, { id: account.id, name: account.username }, ports)
}
