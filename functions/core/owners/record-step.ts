import type { Reach } from '../../compose/project.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import type { StepOutcome } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import { conflict, Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { OwnedName } from '../records/owner.ts'
import { type ClaimingStack, claimOwner } from './claim-owner.ts'

/** The stack whose plan is executed. */
export interface StepOwner {
  stack: ClaimingStack
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
    await ports.owners.release({ hostId, kind: 'image', name, stack: stack.id })
    return outcome
  }
  if (step.kind !== 'volume' && step.kind !== 'network') return execute()
  const resource = { hostId, kind: step.kind, name: step.name }
  const release = () => ports.owners.release({ ...resource, stack: stack.id })
  if (step.action === 'create') {
    await claimOwner(resource, stack, ports)
    return make(resource, reach, execute, release)
  }
  const outcome = await execute()
  if (step.action === 'remove' && isRemoval) await release()
  return outcome
}

async function make(
  resource: OwnedName,
  reach: Reach,
  execute: () => Promise<StepOutcome>,
  release: () => Promise<void>,
): Promise<StepOutcome> {
  const outcome = await execute().catch(async (error) => {
    // The Engine already has a network or volume with that name and did not create this one.
    if (error instanceof Failure && error.status === 409) await release()
    throw error
  })
  if (!outcome.existing) return outcome
  await release()
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
