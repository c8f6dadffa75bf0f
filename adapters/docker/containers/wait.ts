import type Docker from 'dockerode'
import type { Step } from '../../../functions/compose/step.ts'
import { conflict, Failure } from '../../../functions/core/errors.ts'
import { markHandled } from '../../../functions/core/promises.ts'
import { inspectContainer, planReadDeadline } from '../inspect/container.ts'
import type { EngineEvents } from '../streams/events.ts'
import type { EngineClient } from '../transport/client.ts'
import { onAbort } from '../transport/deadline.ts'

export type WaitStep = Extract<Step, { action: 'wait' }>

/** Milliseconds after which a container is checked again without an event. */
const recheckInterval = 500

/**
 * Waits until a dependency fulfils its condition, checking at each event of the Engine. If the
 * dependency is not required, failing is a warning.
 *
 * @throws 409 with docker compose's message if the condition can no longer be fulfilled
 */
export async function waitForCondition(
  client: EngineClient,
  events: EngineEvents,
  step: WaitStep,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    await conditionMet(client, events, step, signal)
    return []
  } catch (error) {
    const lost = error instanceof Failure && (error.status === 409 || error.status === 404)
    if (!lost || step.required) throw error
    return [`optional dependency ${step.name}: ${error.message}`]
  }
}

async function conditionMet(
  client: EngineClient,
  events: EngineEvents,
  step: WaitStep,
  signal: AbortSignal,
): Promise<void> {
  let id: string | undefined
  events.live()
  for (;;) {
    // Listens before it checks, so that no change in between is missed.
    const change = nextChange(events, () => id, signal)
    try {
      const container = await inspectContainer(client, step.name, {
        signal,
        deadline: planReadDeadline,
      })
      id = container.Id
      if (isMet(step, container)) return
      await change.arrived
    } finally {
      change.stop()
    }
  }
}

function isMet(step: WaitStep, container: Docker.ContainerInspectInfo): boolean {
  const { Status, ExitCode, Health } = container.State
  const name = container.Name.slice(1)
  const ended = Status === 'exited' || Status === 'dead'
  switch (step.condition) {
    case 'service_started':
      return Status !== 'created'
    case 'service_completed_successfully':
      if (ended && ExitCode !== 0) {
        throw conflict(
          `service "${step.service ?? name}" didn't complete successfully: exit ${ExitCode}`,
        )
      }
      return ended
    case 'service_healthy':
      if (ended) throw failedToStart(`container ${name} exited (${ExitCode})`)
      if (!Health || Health.Status === 'none') {
        throw failedToStart(`container ${name} has no healthcheck configured`)
      }
      if (Health.Status === 'unhealthy') throw failedToStart(`container ${name} is unhealthy`)
      return Health.Status === 'healthy'
  }
}

const failedToStart = (what: string) => conflict(`dependency failed to start: ${what}`)

/** Settles at the container's next change, after the timeout, or with the reason of the signal. */
function nextChange(events: EngineEvents, id: () => string | undefined, signal: AbortSignal) {
  let stop = () => {}
  const arrived = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, recheckInterval)
    const stopWaiting = onAbort(signal, () => reject(signal.reason))
    const unsubscribe = events.listen((change) => {
      if (!change || (change.kind === 'container' && change.id === (id() ?? change.id))) resolve()
    })
    stop = () => {
      clearTimeout(timer)
      unsubscribe()
      stopWaiting()
    }
  })
  return { arrived: markHandled(arrived), stop }
}
