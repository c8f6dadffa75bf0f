import type { MemoryEngine } from '../../../adapters/testing/memory/engine.ts'
import { findContainer } from '../../../adapters/testing/memory/engine-state.ts'
import type { Step } from '../../../functions/compose/step.ts'

type Container = ReturnType<typeof findContainer>

/**
 * Makes all images pullable, and containers run as those of real projects do: they stay up whatever
 * their command is, get healthy, and end with 0 when something waits for that.
 */
export function useLastingContainers(engine: MemoryEngine, bases: readonly string[]): void {
  const { state, execute } = engine
  state.registry.has = () => true
  for (const base of bases) state.images.set(base, `sha256:${state.nextId()}`)
  engine.execute = async (step, signal) => {
    if (step.kind === 'container' && step.action === 'wait') bringAbout(step, state)
    const outcome = await execute(step, signal)
    if (step.kind === 'container' && (step.action === 'start' || step.action === 'restart'))
      keepUp(findContainer(state, step.name))
    return outcome
  }
}

function keepUp(container: Container): void {
  if (container) Object.assign(container, { state: 'running', exitCode: null, health: 'healthy' })
}

/** Makes true what a step waits for. */
function bringAbout(
  { name, condition }: Extract<Step, { action: 'wait' }>,
  state: MemoryEngine['state'],
): void {
  const container = findContainer(state, name)
  if (container?.state !== 'running' && container?.state !== 'paused') return
  if (condition === 'service_completed_successfully') {
    Object.assign(container, { state: 'exited', exitCode: 0, health: null })
  } else {
    container.health = 'healthy'
  }
}
