import { groupBy } from '../group-by.ts'
import { callHost } from '../hosts/call-host.ts'
import type { Needs } from '../ports/ports.ts'
import { uptimeFor } from './engine-uptime.ts'
import { knownStop, stopSources } from './known-stops.ts'
import { readRuns } from './read-runs.ts'
import { isOfService, type ObservedHost, stackContainer } from './stack-state.ts'

/** The ports that observing a host needs. */
export type ObservePorts = Needs<'clock' | 'engines' | 'hosts' | 'hostStops' | 'hostWatches'>

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
    const reading = { hostId, engine, containers: own, withAll: withRuns }
    const [runs, sources] = await Promise.all([
      readRuns(reading, ports),
      stopSources(hostId, ended, engine, ports),
    ])
    const containers = own.flatMap((summary) => {
      const known = runs.get(summary.id)
      if (!known) return []
      return stackContainer(summary, { ...known, stop: knownStop(summary.id, known.run, sources) })
    })
    const byStack = groupBy(containers, ({ summary }) => summary.stack)
    return { containers: byStack, engine: await uptimeFor(containers, engine) }
  })
}
