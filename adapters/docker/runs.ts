import type { ContainerRun, ObservedContainer } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { unlessMissing } from './errors.ts'
import type { EngineEvents } from './events.ts'
import { instant } from './labels.ts'

/** Looks at how containers run. What was seen is kept as long as the Engine tells of changes. */
export interface ContainerRuns {
  runs(containers: readonly Seen[]): Promise<ContainerRun[]>
  /** Forgets what is kept: called around each change of our own. */
  forget(): void
}

/** A container as a list has it. */
type Seen = Pick<ObservedContainer, 'id' | 'state'>

/** A look at a container: it holds as long as the lists say of it what they said then. */
interface Look {
  state: string
  run: Promise<ContainerRun | undefined>
}

/** The runs of one Engine's containers. */
export function containerRuns(client: EngineClient, events: EngineEvents): ContainerRuns {
  const kept = new Map<string, Look>()
  events.listen((change) => {
    if (!change) kept.clear()
    else if (change.kind === 'container') kept.delete(change.id)
    else if (change.container) kept.delete(change.container)
  })

  function look({ id, state }: Seen): Promise<ContainerRun | undefined> {
    const earlier = kept.get(id)
    if (earlier?.state === state) return earlier.run
    const run = inspected(client, id)
    if (events.live()) {
      kept.set(id, { state, run })
      run.catch(() => kept.delete(id))
    }
    return run
  }

  return {
    async runs(containers) {
      const runs = await Promise.all(containers.map(look))
      return runs.filter((run) => run !== undefined)
    },
    forget: () => kept.clear(),
  }
}

/** Undefined for a container that went between the list and the look at it. */
async function inspected(client: EngineClient, id: string): Promise<ContainerRun | undefined> {
  const container = await unlessMissing(inspectContainer(client, id))
  if (!container) return undefined
  const { Config, State, RestartCount } = container
  return { id, image: Config.Image, startedAt: instant(State.StartedAt), restarts: RestartCount }
}
