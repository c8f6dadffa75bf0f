import { callHost } from '../hosts/call-host.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerRun, ContainerSummary } from '../records/container.ts'
import { uptimeFor } from './engine-uptime.ts'
import { knownStop, stopSources } from './known-stops.ts'
import { stableAfter } from './service-state.ts'
import {
  isOfService,
  type ObservedHost,
  type StackContainer,
  stackContainer,
} from './stack-state.ts'

/** The ports that observing a host needs. */
export type ObservePorts = Needs<'clock' | 'engines' | 'hosts' | 'hostStops'>

/** Which stacks to observe, and whether the details of all of their containers are read. */
export interface Observation {
  stacks: ReadonlySet<string>
  withRuns?: boolean
}

/**
 * Observes the containers of stacks on a host: one list, and the details that it leaves open.
 *
 * @throws 500 if the host does not answer in time
 */
export function observeHost(
  hostId: string,
  { stacks, withRuns = false }: Observation,
  ports: ObservePorts,
): Promise<ObservedHost> {
  return callHost(hostId, ports, async (engine) => {
    const all = await engine.containers({ all: true })
    const own = all.filter((one) => one.stack !== null && stacks.has(one.stack) && isOfService(one))
    const ended = own.filter(({ state }) => state === 'exited')
    const [runs, sources] = await Promise.all([
      readRuns(withRuns ? own : own.filter(isOpen), engine, ports),
      stopSources(hostId, ended, engine, ports),
    ])
    const containers = own.flatMap((summary) => {
      const run = runs.get(summary.id) ?? null
      if (run === 'removed') return []
      return stackContainer(summary, run, knownStop(summary.id, run, sources))
    })
    return { containers: byStack(containers), engine: await uptimeFor(containers, engine) }
  })
}

/** Returns whether a container's entry in the list leaves the state of its service open. */
const isOpen = ({ state, upSeconds }: ContainerSummary) =>
  state === 'exited' || state === 'created' || (upSeconds !== null && upSeconds < stableAfter)

/**
 * The Engine does not answer for a container that it has locked. Such a container is judged by its
 * entry in the list after this time. Milliseconds.
 */
const inspectTimeout = 1_500

/** How many containers are inspected at a time. */
const parallelReads = 16

type Runs = ReadonlyMap<string, ContainerRun | 'removed'>

async function readRuns(
  containers: readonly ContainerSummary[],
  engine: Engine,
  { clock }: Needs<'clock'>,
): Promise<Runs> {
  const runs = new Map<string, ContainerRun | 'removed'>()
  const read = async (container: ContainerSummary) => {
    const [run] = await engine.runs([container])
    runs.set(container.id, run ?? 'removed')
  }
  const unread = ignoreFailure('inspect a container')
  const over = new AbortController()
  const queue = containers.values()
  const work = async () => {
    for (const next of queue) {
      if (over.signal.aborted) return
      await read(next).catch(unread)
    }
  }
  const late = clock.sleep(inspectTimeout, over.signal)
  await Promise.race([late, Promise.all(Array.from({ length: parallelReads }, work))])
  over.abort()
  return new Map(runs)
}

function byStack(containers: readonly StackContainer[]): ObservedHost['containers'] {
  const groups = new Map<string | null, StackContainer[]>()
  for (const container of containers) {
    const group = groups.get(container.summary.stack)
    if (group) group.push(container)
    else groups.set(container.summary.stack, [container])
  }
  return groups
}
