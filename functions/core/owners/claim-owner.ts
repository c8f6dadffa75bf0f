import { conflict } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { OwnedName } from '../records/owner.ts'
import type { StackRecord } from '../records/stack.ts'

/** A stack for which things are recorded. */
export type ClaimingStack = Pick<StackRecord, 'id' | 'createdAt'>

/**
 * Records a thing as owned by a stack, also where it is recorded for an earlier stack of that name.
 *
 * @throws 409 if another stack owns it
 */
export async function claimOwner(
  thing: OwnedName,
  { id, createdAt }: ClaimingStack,
  { owners, clock }: Needs<'owners' | 'clock'>,
): Promise<void> {
  const owner = { ...thing, stack: id, stackCreatedAt: createdAt, at: clock.now() }
  const recorded = await owners.claim(owner)
  if (recorded.stack !== id) throw takenConcurrently(thing)
  if (recorded.stackCreatedAt === createdAt && !recorded.leftBy) return
  if (!(await owners.replace(owner))) throw takenConcurrently(thing)
}

/**
 * Records things as owned by a stack. Call it under the lease of the stack; only a deploy that has
 * nothing to do has none.
 *
 * @throws 409 if another stack claimed one in the meantime
 */
export async function claimAll(
  things: readonly OwnedName[],
  stack: ClaimingStack,
  ports: Needs<'owners' | 'clock'>,
): Promise<void> {
  for (const thing of things) await claimOwner(thing, stack, ports)
}

/**
 * Returns the failure 409 for a claimed name. It does not name the owner, which the caller may not
 * be allowed to read.
 */
const takenConcurrently = ({ kind, name }: OwnedName) =>
  conflict(`the ${kind} ${name} was claimed by another stack in the meantime`, { reason: 'in-use' })
