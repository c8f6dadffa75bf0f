import type { Reach } from '../compose/project.ts'
import type { Step } from '../compose/step.ts'
import type { StepOutcome } from '../engine/engine.ts'
import { conflict, Failure } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { takenMeanwhile } from './check-references.ts'
import type { OwnedName } from './ports.ts'

/** The stack whose plan is executed. */
export interface StepOwner {
  stack: string
  hostId: string
  /** What its project may access. */
  reach: Reach
  /** The stack is being removed, so that what its plan removes is not created again. */
  isRemoval: boolean
}

/**
 * Executes a step and records the thing that it creates or removes. A name is claimed before the
 * thing is created, so that two concurrent stacks cannot share it.
 *
 * @throws 409 if another stack owns the name, or if something else created the thing since the plan
 *   and the project may not access the host
 */
export async function recordStep(
  step: Step,
  { stack, hostId, reach, isRemoval }: StepOwner,
  execute: () => Promise<StepOutcome>,
  ports: Needs<'owners' | 'clock'>,
): Promise<StepOutcome> {
  if (step.kind !== 'volume' && step.kind !== 'network') return execute()
  const thing = { hostId, kind: step.kind, name: step.name, stack }
  if (step.action === 'create') return make(thing, reach, execute, ports)
  const outcome = await execute()
  if (step.action === 'remove' && isRemoval) await ports.owners.release(thing)
  return outcome
}

type Thing = OwnedName & { stack: string }

async function make(
  thing: Thing,
  reach: Reach,
  execute: () => Promise<StepOutcome>,
  { owners, clock }: Needs<'owners' | 'clock'>,
): Promise<StepOutcome> {
  const owner = await owners.claim({ ...thing, at: clock.now() })
  if (owner.stack !== thing.stack) throw takenMeanwhile(thing)
  const outcome = await execute().catch(async (error) => {
    // The Engine already has a network or volume with that name and did not create this one.
    if (error instanceof Failure && error.status === 409) await owners.release(thing)
    throw error
  })
  if (!outcome.existing) return outcome
  await owners.release(thing)
  // For an existing volume the Engine answers as if it had created it, whatever data the volume
  // holds.
  if (reach !== 'host') throw appearedMeanwhile(thing)
  return outcome
}

const appearedMeanwhile = ({ kind, name }: OwnedName) =>
  conflict(
    `the ${kind} ${name} appeared on the host after the plan was made, and this stack did not create it: ` +
      'deploy again to see whether it may be used',
  )
