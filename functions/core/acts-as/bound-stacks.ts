import type { Needs } from '../ports/ports.ts'
import type { BoundStack } from '../records/acts-as.ts'

/** Returns the stacks with these names as they are now, each once. */
export async function bindStacks(
  names: Iterable<string>,
  { stacks }: Needs<'stacks'>,
): Promise<BoundStack[]> {
  const bound: BoundStack[] = []
  for (const name of new Set(names)) {
    const stack = await stacks.find(name)
    bound.push({ name, createdAt: stack?.createdAt ?? null })
  }
  return bound
}

/**
 * Returns what happened if one of the stacks is another one now, or undefined. A stack that is gone
 * is not another one.
 */
export async function otherStack(
  bound: readonly BoundStack[],
  { stacks }: Needs<'stacks'>,
): Promise<string | undefined> {
  for (const { name, createdAt } of bound) {
    const stack = await stacks.find(name)
    if (!stack || stack.createdAt === createdAt) continue
    return createdAt === null
      ? `stack ${name} was created later`
      : `stack ${name} was deleted and created again`
  }
  return undefined
}
