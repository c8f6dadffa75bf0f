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
 * @param revision that of the files that the caller read; undefined for any
 * @throws 409 while a deployment of the stack runs, and if its files are of another revision
 */
export async function forgetStack(
  stack: StackRecord,
  revision: number | undefined,
  { account }: Pick<Caller, 'account'>,
  ports: ForgetStackPorts,
): Promise<void> {
  await deleteStackRecords({ ...stack, revision }, { account }, ports)
  await leaveFiles(stack, { id: account.id, name: account.username }, ports)
}
