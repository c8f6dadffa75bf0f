import { notFound } from '../errors.ts'
import { changeRecord } from '../ports/change-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'

/**
 * Returns the stack with this name.
 *
 * @throws 404 if it does not exist
 */
export async function getStack(
  name: string,
  { stacks }: Needs<'stacks'>,
): Promise<Stored<StackRecord>> {
  const stack = await stacks.find(name)
  if (!stack) throw notFound(`stack ${name}: there is no such stack`)
  return stack
}

/**
 * Changes the current version of a stack's record. Returns the record as written, or undefined if
 * the stack does not exist.
 *
 * @param known a version that was just read; saves a read if nothing else changed it
 * @throws 409 if other changes are always written first
 */
export const changeStack = (
  name: string,
  change: (stack: StackRecord) => Partial<StackRecord>,
  { stacks }: Needs<'stacks'>,
  known?: Stored<StackRecord>,
): Promise<Stored<StackRecord> | undefined> =>
  changeRecord(stacks, name, change, `stack ${name}: it`, known)
