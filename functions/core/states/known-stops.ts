import { ownEntry } from '../../compose/lookup.ts'
import { ignoreFailure } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerRun } from '../records/container.ts'
import type { ReportedStop } from '../records/host-engine.ts'
import { type ContainerStop, type HostStops, stopsMax } from '../records/host-stops.ts'

/** The known stops of a host's containers: those that its Engine reported, and those stored. */
export interface StopSources {
  reported: ReadonlyMap<string, ReportedStop>
  stored: Readonly<HostStops['stops']>
}

type Run = Pick<ContainerRun, 'startedAt'>

const nothingKnown: StopSources = { reported: new Map(), stored: {} }

/** Returns the known stops of a host; none if none of its containers ended. */
export async function stopSources(
  hostId: string,
  ended: readonly unknown[],
  engine: Engine,
  { hostStops }: Needs<'hostStops'>,
): Promise<StopSources> {
  if (ended.length === 0) return nothingKnown
  const [reported, record] = await Promise.all([
    engine.stops().catch(ignoreFailure('read the stops of containers')),
    hostStops.find(hostId),
  ])
  return { reported: reported ?? nothingKnown.reported, stored: record?.stops ?? {} }
}

/** Returns the stop that ended a run of a container; null if none is known. */
export function knownStop(
  id: string,
  run: Run | null,
  { reported, stored }: StopSources,
): ContainerStop | null {
  const recorded = ownEntry(stored, id)
  const own = run && recorded?.startedAt === run.startedAt ? recorded : undefined
  if (own && own.by !== null) return own
  const event = reported.get(id)
  if (event) return { startedAt: run?.startedAt ?? null, by: null, at: event.at }
  return own ?? null
}

/** Records that a user is stopping a container. */
export function recordStop(
  hostId: string,
  id: string,
  stop: ContainerStop,
  ports: Needs<'hostStops'>,
): Promise<void> {
  return recordStops(hostId, [[id, stop]], ports)
}

/** Records stops of containers, by container ID, in one write. */
export function recordStops(
  hostId: string,
  entries: readonly (readonly [string, ContainerStop])[],
  ports: Needs<'hostStops'>,
): Promise<void> {
  return changeStops(hostId, (stops) => ({ ...stops, ...Object.fromEntries(entries) }), ports)
}

/** Removes the stop of a container that was not stopped after all. */
export function removeStop(hostId: string, id: string, ports: Needs<'hostStops'>): Promise<void> {
  return removeStops(hostId, [id], ports)
}

/** Removes the stops of containers, in one write. */
export function removeStops(
  hostId: string,
  ids: readonly string[],
  ports: Needs<'hostStops'>,
): Promise<void> {
  const others = (stops: HostStops['stops']) =>
    Object.fromEntries(Object.entries(stops).filter(([id]) => !ids.includes(id)))
  return changeStops(hostId, others, ports)
}

/** A container of a host that exists. */
interface Existing {
  id: string
  state: string
  run: Run | null
}

/**
 * Records the stops that the Engine reported, because it soon forgets them, and removes those of
 * containers that no longer exist. A stop that may come from a shutdown of the Engine is recorded
 * later, once that is certain.
 */
export async function recordReportedStops(
  hostId: string,
  containers: readonly Existing[],
  { reported, stored }: StopSources,
  ports: Needs<'hostStops'>,
): Promise<void> {
  const ended = containers.filter(({ state }) => state === 'exited')
  const fresh = ended.flatMap(({ id, run }): [string, ContainerStop][] => {
    const event = reported.get(id)
    if (!event || event.isRecent || !run) return []
    const isKnown = Object.hasOwn(stored, id) && stored[id]?.startedAt === run.startedAt
    return isKnown ? [] : [[id, { startedAt: run.startedAt, by: null, at: event.at }]]
  })
  if (fresh.length === 0) return
  const existing = new Set(containers.map(({ id }) => id))
  const keep = (stops: HostStops['stops']) =>
    Object.fromEntries([...Object.entries(stops).filter(([id]) => existing.has(id)), ...fresh])
  await changeStops(hostId, keep, ports)
}

/** The maximum number of tries when other changes of the record are written first. */
const triesMax = 50

async function changeStops(
  hostId: string,
  change: (stops: HostStops['stops']) => HostStops['stops'],
  { hostStops }: Needs<'hostStops'>,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const known = await hostStops.find(hostId)
    const stops = newest(change(known?.stops ?? {}))
    const isWritten = known
      ? await hostStops.replace({ ...known, stops })
      : await hostStops.create({ id: hostId, stops })
    if (isWritten) return
  }
}

function newest(stops: HostStops['stops']): HostStops['stops'] {
  const all = Object.entries(stops)
  if (all.length <= stopsMax) return stops
  return Object.fromEntries(all.sort(([, a], [, b]) => b.at - a.at).slice(0, stopsMax))
}
