import type { ObservedContainer } from '../../../functions/compose/snapshot.ts'
import { onRejection } from '../../../functions/core/promises.ts'
import type { ContainerRun } from '../../../functions/core/records/container.ts'
import { inspectContainer } from '../inspect/container.ts'
import { instant } from '../names/labels.ts'
import { knownMessage } from '../responses/engine-messages.ts'
import { unlessMissing } from '../responses/errors.ts'
import type { EngineEvents } from '../streams/events.ts'
import type { EngineClient } from '../transport/client.ts'
import { failedCheck } from './failed-check.ts'
import { healthCheckOf } from './health-check.ts'

/** Reads how containers run. Results are cached while the Engine's events arrive. */
export interface ContainerRuns {
  runs(containers: readonly ListedContainer[]): Promise<ContainerRun[]>
  /** Clears the cache; called around each change of our own. */
  forget(): void
}

/** A container from a list. */
type ListedContainer = Pick<ObservedContainer, 'id' | 'state'>

/** A cached result. It is valid while lists show the same state of the container. */
interface CachedRun {
  state: string
  run: Promise<ContainerRun | undefined>
}

/** Returns the runs of one Engine's containers. */
export function containerRuns(client: EngineClient, events: EngineEvents): ContainerRuns {
  const cache = new Map<string, CachedRun>()
  events.listen((change) => {
    if (!change) cache.clear()
    else if (change.kind === 'container') cache.delete(change.id)
    else if (change.container) cache.delete(change.container)
  })

  function runOf({ id, state }: ListedContainer): Promise<ContainerRun | undefined> {
    const earlier = cache.get(id)
    if (earlier?.state === state) return earlier.run
    const run = inspected(client, id)
    if (events.live()) {
      cache.set(id, { state, run })
      onRejection(run, () => cache.delete(id))
    }
    return run
  }

  return {
    async runs(containers) {
      const runs = await Promise.all(containers.map(runOf))
      return runs.filter((run) => run !== undefined)
    },
    forget: () => cache.clear(),
  }
}

/** Returns undefined if the container was removed after it was listed. */
async function inspected(client: EngineClient, id: string): Promise<ContainerRun | undefined> {
  const container = await unlessMissing(inspectContainer(client, id))
  if (!container) return undefined
  const { Config, State, HostConfig, RestartCount } = container
  const healthOutput = failedCheck(container)
  const healthCheck = healthCheckOf(Config.Healthcheck)
  return {
    id,
    image: Config.Image,
    startedAt: instant(State.StartedAt),
    finishedAt: instant(State.FinishedAt),
    restarts: RestartCount,
    restartPolicy: HostConfig.RestartPolicy?.Name || 'no',
    startError: startErrorOf(State.Error),
    outOfMemory: State.OOMKilled === true,
    ...(healthOutput !== undefined && { healthOutput }),
    ...(healthCheck && { healthCheck }),
  }
}

/** The Engine's own message can name paths of its host, so only known messages are shown. */
const startErrorOf = (text: string | undefined) =>
  text ? (knownMessage(text) ?? 'the Engine could not start the container') : null
