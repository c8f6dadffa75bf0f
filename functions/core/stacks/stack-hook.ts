import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackHook } from '../records/stack-hook.ts'

/** Returns whether a hook was made for this stack, not for an earlier one with its name. */
export const isHookOf = (
  { createdAt }: Pick<StackRecord, 'createdAt'>,
  { actsAs }: Pick<StackHook, 'actsAs'>,
): boolean => actsAs.stacks[0]?.createdAt === createdAt

/**
 * Deletes the hook of a stack that is about to be deleted, if it has one. Call it under the lease
 * of the stack, before its record goes: until then no other stack can have its name.
 */
export async function removeHookOf(
  stack: Pick<StackRecord, 'createdAt' | 'id'>,
  { stackHooks }: Needs<'stackHooks'>,
): Promise<void> {
  const hook = await stackHooks.find(stack.id)
  if (hook && isHookOf(stack, hook)) await stackHooks.remove(stack.id)
}
