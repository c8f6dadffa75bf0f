import type { ContainerSample, ContainerSummary } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { linkedDeadline } from './deadline.ts'
import { checkedId } from './ids.ts'
import { composeLabels } from './labels.ts'
import type { EngineLists } from './lists.ts'
import type { ContainerRuns } from './runs.ts'
import { isRunning, usageOf } from './stats.ts'

/** Questions that are put to the Engine at once. */
const together = 8

/** Makes the samples of one Engine, which compare each with the one before. What is kept is of containers that are there. */
export function engineSampler(
  client: EngineClient,
  lists: EngineLists,
  inspected: ContainerRuns,
): (signal: AbortSignal) => Promise<ContainerSample[]> {
  let processors = new Map<string, unknown>()

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
  async function restartsOf(container: ContainerSample) {
    const [run] = await inspected.runs([container])
    return run?.restarts ?? null
  }

  return async (signal) => {
    const all = await lists.containers()
    const there = new Set(all.map(({ id }) => id))
    processors = new Map([...processors].filter(([id]) => there.has(id)))
    const samples: ContainerSample[] = all.map(bare)
    const waiting = [...samples]
    const work = async () => {
      for (let one = waiting.pop(); one && !signal.aborted; one = waiting.pop()) {
        const { id, state } = one
        // One that has gone meanwhile, or an Engine that is too slow, leaves it unknown.
        if (state === 'running') one.usage = await figures(id, signal).catch(() => null)
        one.restarts = await restartsOf(one).catch(() => null)
      }
    }
    const workers = Promise.all(Array.from({ length: together }, work))
    // A container that the Engine has locked answers nothing; the others are known nonetheless.
    await linkedDeadline(null, signal)
      .race(workers)
      .catch(() => {})
    return samples
  }
}

function bare(container: ContainerSummary): ContainerSample {
  const { id, name, stack, service, state, health, exitCode, createdAt, labels } = container
  const oneoff = labels[composeLabels.oneoff] === 'True'
  const unknown = { restarts: null, usage: null }
  return { id, name, stack, service, oneoff, state, health, exitCode, createdAt, ...unknown }
}
