import { Failure } from '../core/errors.ts'
import { keyOf } from '../core/estate/plan-estate.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { FoundThing } from './found-things.ts'
import type { JudgedEstate } from './plan-for.ts'

/**
 * Returns the things of a file that are there already and that an apply of it takes, by key. A
 * prune by someone with more rights would delete them: so a caller takes only what the caller could
 * delete.
 */
export async function takeableThings(
  { steps, found }: Pick<JudgedEstate, 'found' | 'steps'>,
  caller: Caller,
  ports: Needs<'settings' | 'stacks'>,
): Promise<ReadonlyMap<string, FoundThing>> {
  const takeable = new Map<string, FoundThing>()
  for (const step of steps) {
    const isKept = step.action === 'change' || step.action === 'nothing'
    const thing = isKept ? found.get(keyOf(step)) : undefined
    if (thing && (await mayDelete(thing, caller, ports))) takeable.set(keyOf(step), thing)
  }
  return takeable
}

async function mayDelete(
  thing: FoundThing,
  caller: Caller,
  ports: Needs<'settings' | 'stacks'>,
): Promise<boolean> {
  try {
    await thing.requireRights(caller, ports)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
