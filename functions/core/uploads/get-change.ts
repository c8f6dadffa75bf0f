import { notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import type { Upload } from '../records/upload.ts'
import { getStack } from '../stacks/stack-record.ts'

/**
 * Returns an unexpired upload of files of a stack that the caller started, and the stack.
 *
 * @throws 404 if there is no such stack or upload, 403 if the stack is outside the caller's scope
 */
export async function getChange(
  { name, id }: { name: string; id: string },
  caller: Caller,
  ports: Needs<'uploads' | 'stacks' | 'hosts'>,
): Promise<{ upload: Upload; stack: StackRecord }> {
  const stack = await getStack(name, ports)
  const upload = await ports.uploads.find(id)
  const isTheirs = upload?.purpose === 'change' && upload.accountId === caller.account.id
  if (!isTheirs || !isFor(upload, stack))
    throw notFound(`upload ${id}: there is no such upload of stack ${name}`)
  return { upload, stack }
}

/** Returns whether an upload is for this stack, not for a deleted one that had its name. */
export const isFor = (
  { stack, stackCreatedAt }: Upload,
  { id, createdAt }: Pick<StackRecord, 'id' | 'createdAt'>,
): boolean => stack === id && (stackCreatedAt === undefined || stackCreatedAt === createdAt)
