import { serviceOf } from '../../compose/lookup.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import { addHook } from '../../compose/plan/stop/stop-container.ts'
import type { Reach } from '../../compose/project.ts'
import type { Step } from '../../compose/step.ts'
import { runHooks } from '../deploy/act-with-hooks.ts'
import { Failure } from '../errors.ts'
import { findContainer } from '../hosts/find-container.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { OneOff } from '../records/one-off.ts'
import type { LoadPorts } from '../stacks/load-project.ts'
import { getStack } from '../stacks/stack-record.ts'
import { loadService } from './load-service.ts'

/** The ports that find the commands of a one-off container. */
export type PostStartPorts = LoadPorts & Needs<'stacks'>

/**
 * Returns the `post_start` commands of the service of a one-off container, from the files that it
 * was created from.
 *
 * @param reach what the caller may access now, which can be less than at the creation
 * @throws 404 if the stack was deleted, 403 if the caller may not run them any more
 */
export async function postStartSteps(
  { stack, service, container, hooks }: OneOff,
  reach: Reach,
  ports: PostStartPorts,
): Promise<Step[]> {
  if (!hooks) return []
  const record = await getStack(stack, ports)
  const { project } = await loadService(record, service, { ...hooks, reach }, ports)
  const plan: Plan = { steps: [], warnings: [] }
  const about = { reason: 'post_start', service }
  for (const hook of serviceOf(project, service).post_start ?? []) {
    addHook(plan, about, container, { hook, required: true })
  }
  return plan.steps
}

/** Why the commands did not all succeed. */
export interface PostStartFailure {
  /** The container ended before they did. */
  hasEnded: boolean
  message: string
}

/**
 * Runs the commands one after the other in a container that was just started. Kills it if one
 * fails. Returns undefined if none did.
 */
export async function runPostStart(
  steps: readonly Step[],
  { container, service }: OneOff,
  engine: Engine,
): Promise<PostStartFailure | undefined> {
  try {
    await runHooks(steps, engine, new AbortController().signal)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const found = await findContainer(container, engine)
    const hasEnded = found?.state !== 'running' && found?.state !== 'paused'
    if (!hasEnded) await engine.act(container, { kind: 'kill' })
    return { hasEnded, message: `service ${service}: post_start: ${error.message}` }
  }
}
