import type { Step } from '../compose/step.ts'
import type { StepOutcome } from '../engine/engine.ts'
import type { Needs } from '../ports.ts'
import { takenMeanwhile } from './check-references.ts'

/** The stack whose plan is executed. */
export interface StepOwner {
  stack: string
  hostId: string
  /** The stack goes: what is removed is not made again. */
  isRemoval: boolean
}

/**
 * Executes a step and records what it makes or removes. A name is claimed before it is made: two
 * stacks that want the same one at the same time do not end up sharing it.
 *
 * @throws 409 if another stack was recorded as the owner of what is to be made
 */
export async function recordStep(
  step: Step,
  { stack, hostId, isRemoval }: StepOwner,
  execute: () => Promise<StepOutcome>,
  { owners, clock }: Needs<'owners' | 'clock'>,
): Promise<StepOutcome> {
  if (step.kind !== 'volume' && step.kind !== 'network') return execute()
  const thing = { hostId, kind: step.kind, name: step.name, stack }
  if (step.action === 'create') {
    const owner = await owners.claim({ ...thing, at: clock.now() })
    if (owner.stack !== stack) throw takenMeanwhile(thing)
  }
  const outcome = await execute()
  if (step.action === 'remove' && isRemoval) await owners.release(thing)
  return outcome
}
