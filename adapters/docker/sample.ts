import type { ContainerSample, ContainerSummary } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import type { EngineEvents } from './events.ts'
import { checkedId } from './ids.ts'
import { composeLabels } from './labels.ts'
import type { EngineLists } from './lists.ts'
import { isRunning, usageOf } from './stats.ts'

/** Questions that are put to the Engine at once. */
const together = 8

/** Makes the samples of one Engine, which compare each with the one before. What is kept is of containers that are there. */
export function engineSampler(
  client: EngineClient,
  events: EngineEvents,
  lists: EngineLists,
): (signal: AbortSignal) => Promise<ContainerSample[]> {
  let processors = new Map<string, unknown>()
  let restarts = new Map<string, number>()
  events.listen((change) => {
    if (!change) restarts.clear()
    else if (change.kind === 'container') restarts.delete(change.id)
  })

  /** The Engine's own figures, without the second that it would take to compare them itself. */
  async function figures(id: string, signal: AbortSignal) {
    const path = `/containers/${checkedId('container', id)}/stats`
    const query = { stream: false, 'one-shot': true }
    const sample = await client.json({ method: 'GET', path, query, signal })
    if (!isRunning(sample)) return null
    const usage = usageOf(sample, processors.get(id))
    processors.set(id, { cpu_stats: sample.cpu_stats })
    return usage
  }
  /** Only the inspection has it; it changes only with an event. */
  async function restartsOf(id: string, signal: AbortSignal) {
    const known = restarts.get(id)
    if (known !== undefined && events.live()) return known
    const { RestartCount } = await inspectContainer(client, id, { signal })
    restarts.set(id, RestartCount)
    return RestartCount
  }

  return async (signal) => {
    const all = await lists.containers()
    const there = new Set(all.map(({ id }) => id))
    processors = new Map([...processors].filter(([id]) => there.has(id)))
    restarts = new Map([...restarts].filter(([id]) => there.has(id)))
    const samples: ContainerSample[] = all.map(bare)
    const waiting = [...samples]
    const work = async () => {
      for (let one = waiting.pop(); one && !signal.aborted; one = waiting.pop()) {
        const { id, state } = one
        // One that has gone meanwhile, or an Engine that is too slow, leaves it unknown.
        if (state === 'running') one.usage = await figures(id, signal).catch(() => null)
        one.restarts = await restartsOf(id, signal).catch(() => null)
      }
    }
    await Promise.all(Array.from({ length: together }, work))
    return samples
  }
}

function bare(container: ContainerSummary): ContainerSample {
  const { id, name, stack, service, state, health, exitCode, createdAt, labels } = container
  const oneoff = labels[composeLabels.oneoff] === 'True'
  const unknown = { restarts: null, usage: null }
  return { id, name, stack, service, oneoff, state, health, exitCode, createdAt, ...unknown }
}
