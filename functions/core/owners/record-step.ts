import type { Reach } from '../../compose/project.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import type { StepOutcome } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import { conflict, Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { OwnedName } from '../records/owner.ts'
import { takenConcurrently } from './check-references.ts'

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
  if (step.kind === 'image' && step.action === 'remove') {
    const outcome = await execute()
    const { name } = imageName(step.name)
    await ports.owners.release({ hostId, kind: 'image', name, stack })
    return outcome
  }
  if (step.kind !== 'volume' && step.kind !== 'network') return execute()
  const resource = { hostId, kind: step.kind, name: step.name, stack }
  if (step.action === 'create') return make(resource, reach, execute, ports)
  const outcome = await execute()
  if (step.action === 'remove' && isRemoval) await ports.owners.release(resource)
  return outcome
}

type OwnedResource = OwnedName & { stack: string }

async function make(
  resource: OwnedResource,
  reach: Reach,
  execute: () => Promise<StepOutcome>,
  { owners, clock }: Needs<'owners' | 'clock'>,
): Promise<StepOutcome> {
  const owner = await owners.claim({ ...resource, at: clock.now() })
  if (owner.stack !== resource.stack) throw takenConcurrently(resource)
  const outcome = await execute().catch(async (error) => {
    // The Engine already has a network or volume with that name and did not create this one.
    if (error instanceof Failure && error.status === 409) await owners.release(resource)
    throw error
  })
  if (!outcome.existing) return outcome
  await owners.release(resource)
  // For an existing volume the Engine answers as if it had created it, whatever data the volume
  // holds.
  if (reach !== 'host') throw appearedMeanwhile(resource)
  return outcome
}

const appearedMeanwhile = ({ kind, name }: OwnedName) =>
  conflict(
    `the ${kind} ${name} appeared on the host after the plan was made, and this stack did not create it: ` +
      'deploy again to see whether it may be used',
    { reason: 'exists' },
  )
