import type { Stored } from '../collection.ts'
import { conflict, notFound } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { StackRecord } from './stack.ts'

/** The stack of that name. Throws a `Failure` 404. */
export async function getStack(
  name: string,
  { stacks }: Needs<'stacks'>,
): Promise<Stored<StackRecord>> {
  const stack = await stacks.find(name)
  if (!stack) throw notFound(`stack ${name}: there is no such stack`)
  return stack
}

/** How often a change is tried again when another change of the same stack was faster. */
const triesMax = 20

/**
 * Changes a stack's record as it stands at the moment of writing. Nothing when the stack is gone by then. `known`, as it was
 * read a moment ago, saves a read where nobody else changed it.
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
  throw conflict(`stack ${name}: it is being changed by others, try again`)
}
