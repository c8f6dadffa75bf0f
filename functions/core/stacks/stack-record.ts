import { conflict, notFound } from '../errors.ts'
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

/** The maximum number of tries when other changes of the same stack are written first. */
const triesMax = 20

/**
 * Changes the current version of a stack's record, retrying after concurrent writes. Returns the
 * record as written, or undefined if the stack does not exist.
 *
 * @param known a version that was just read; saves a read if nothing else changed it
 * @throws 409 if all tries fail
 */
export async function changeStack(
  name: string,
  change: (stack: StackRecord) => Partial<StackRecord>,
  { stacks }: Needs<'stacks'>,
  known?: Stored<StackRecord>,
): Promise<Stored<StackRecord> | undefined> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const stack = (tries === 0 && known) || (await stacks.find(name))
    if (!stack) return undefined
    const changed = await stacks.replace({ ...stack, ...change(stack) })
    if (changed) return changed
  }
  throw conflict(`stack ${name}: it is being changed by another request, try again`)
}
