import { ignoreError } from '../../../functions/core/ignore-error.ts'
import { containerNumber } from '../../../functions/core/metrics/usage-key.ts'
import type {
  ContainerSample,
  ContainerSummary,
} from '../../../functions/core/records/container.ts'
import type { ContainerRuns } from '../containers/runs.ts'
import { checkedId } from '../names/ids.ts'
import { composeLabels } from '../names/labels.ts'
import { type EngineSample, isRunning, usageOf } from '../streams/stats.ts'
import type { EngineClient } from '../transport/client.ts'
import { linkedDeadline } from '../transport/deadline.ts'
import type { EngineLists } from './lists.ts'

/** Concurrent calls of the Engine. */
const together = 8

/**
 * Returns a function that samples one Engine. Each sample is compared with the one before, which is
 * kept for existing containers only.
 */
export function engineSampler(
  client: EngineClient,
  lists: EngineLists,
  inspected: ContainerRuns,
): (signal: AbortSignal) => Promise<ContainerSample[]> {
  let processors = new Map<string, Pick<EngineSample, 'cpu_stats'>>()

  /**
   * Returns the Engine's raw sample as usage. The Engine would take a second to compare two samples
   * itself.
   */
  async function figures(id: string, signal: AbortSignal) {
    const path = `/containers/${checkedId('container', id)}/stats`
    const query = { stream: false, 'one-shot': true }
    const sample = await client.json<EngineSample>({ method: 'GET', path, query, signal })
    if (!isRunning(sample)) return null
    const usage = usageOf(sample, processors.get(id))
    processors.set(id, { cpu_stats: sample.cpu_stats })
    return usage
  }
  async function runOf(container: ContainerSample) {
    const [run] = await inspected.runs([container])
    return run ?? null
  }

  const unread = ignoreError('sample a container')
  return async (signal) => {
    const all = await lists.containers()
    const there = new Set(all.map(({ id }) => id))
    processors = new Map([...processors].filter(([id]) => there.has(id)))
    const samples: ContainerSample[] = all.map(bare)
    const waiting = [...samples]
    const work = async () => {
      for (let one = waiting.pop(); one && !signal.aborted; one = waiting.pop()) {
        const { id, state } = one
        // Unknown if the container has gone or the Engine is too slow.
        if (state === 'running') one.usage = (await figures(id, signal).catch(unread)) ?? null
        one.run = (await runOf(one).catch(unread)) ?? null
        one.restarts = one.run?.restarts ?? null
      }
    }
    const workers = Promise.all(Array.from({ length: together }, work))
    // The Engine does not respond for a container that it has locked; the other samples are still
    // returned.
    await linkedDeadline(null, signal).race(workers).catch(unread)
    return samples
  }
}

function bare(container: ContainerSummary): ContainerSample {
  const { id, name, stack, service, state, health, upSeconds, exitCode, createdAt, labels } =
    container
  const oneoff = labels[composeLabels.oneoff] === 'True'
  const number = containerNumber(labels)
  const named = { id, name, stack, service, number, oneoff }
  const known = { ...named, state, health, upSeconds, exitCode, createdAt }
  return { ...known, run: null, restarts: null, usage: null }
}
