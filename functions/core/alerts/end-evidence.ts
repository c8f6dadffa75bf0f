import type { Needs } from '../ports/ports.ts'
import type { ContainerSample } from '../records/container.ts'
import type { EngineUptime } from '../records/host-engine.ts'
import type { ContainerStop } from '../records/host-stops.ts'
import { uptimeFor } from '../states/engine-uptime.ts'
import { knownStop, recordReportedStops, stopSources } from '../states/known-stops.ts'

/** Evidence of how the containers of a host ended. */
export interface EndEvidence {
  /** The stops that are known, by container ID. */
  stops: ReadonlyMap<string, ContainerStop>
  /** Null if it is unknown, or decides on nothing. */
  engine: EngineUptime | null
}

/** Returns what tells how containers ended, and keeps the stops that their Engine reported. */
export async function readEndEvidence(
  hostId: string,
  containers: readonly ContainerSample[],
  ports: Needs<'engines' | 'hostStops'>,
): Promise<EndEvidence> {
  const ended = containers.filter(({ state }) => state === 'exited')
  if (ended.length === 0) return { stops: new Map(), engine: null }
  const engine = await ports.engines.on(hostId)
  const sources = await stopSources(hostId, ended, engine, ports)
  await recordReportedStops(hostId, containers, sources, ports)
  const stops = ended.flatMap(({ id, run }) => {
    const stop = knownStop(id, run, sources)
    return stop ? [[id, stop] as const] : []
  })
  return { stops: new Map(stops), engine: await uptimeFor(ended, engine) }
}
