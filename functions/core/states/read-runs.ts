import { ignoreFailure } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { ContainerRun, ContainerSummary } from '../records/container.ts'
import type { HostWatch } from '../records/host-watch.ts'
import { settlingTime, settlingTimeMax } from './settling-time.ts'

/** A host and the containers whose runs are read. */
export interface RunsToRead {
  hostId: string
  engine: Engine
  containers: readonly ContainerSummary[]
  /** Reads all of them, not only those whose entry in the list leaves their state open. */
  withAll: boolean
}

/** What is known of the run of a container, beside its entry in the list. */
export interface KnownRun {
  /** Null if it was not read, or the Engine did not respond in time. */
  run: ContainerRun | null
  /** As in the facts of a container. */
  settlingTime: number
}

/** Returns what is known of the runs of containers, by ID. Removed containers are left out. */
export async function readRuns(
  { hostId, engine, containers, withAll }: RunsToRead,
  ports: Needs<'clock' | 'hostWatches'>,
): Promise<ReadonlyMap<string, KnownRun>> {
  const seen = await seenRestarts(hostId, containers, ports)
  const isRead = (one: ContainerSummary) =>
    withAll || isOpen(one) || (isSettling(one) && seen.has(one.id))
  const runs = await inspect(containers.filter(isRead), engine, ports)
  const unread = containers.filter((one) => isRead(one) && isSettling(one) && !runs.has(one.id))
  const restarted = unread.length > 0 ? await seenRestarted(engine) : new Set<string>()
  const now = ports.clock.now()
  const known = containers.flatMap(({ id, state, createdAt, upSeconds }): [string, KnownRun][] => {
    const run = runs.get(id) ?? null
    if (run === 'removed') return []
    const about = { createdAt, upSeconds, run, seen: seen.get(id) }
    const evidence = { ...about, isSeenRestarted: restarted.has(id) }
    return [[id, { run, settlingTime: state === 'running' ? settlingTime(evidence, now) : 0 }]]
  })
  return new Map(known)
}

/** The time after which samples have shown a restart, if there was one. Seconds. */
const sampledAfter = 60

/** Returns whether a container's entry in the list leaves the state of its service open. */
const isOpen = ({ state, upSeconds }: ContainerSummary) =>
  state === 'exited' || state === 'created' || (upSeconds !== null && upSeconds < sampledAfter)

/** Returns whether a container runs, and may not have been up for long enough after a restart. */
const isSettling = ({ state, upSeconds }: ContainerSummary) =>
  state === 'running' && upSeconds !== null && upSeconds < settlingTimeMax

/** Returns the restarts that samples of a host have shown, by container ID. */
async function seenRestarts(
  hostId: string,
  containers: readonly ContainerSummary[],
  { hostWatches }: Needs<'hostWatches'>,
): Promise<ReadonlyMap<string, HostWatch['restarts'][string]>> {
  if (!containers.some(isSettling)) return new Map()
  const watch = await hostWatches.find(hostId)
  return new Map(Object.entries(watch?.restarts ?? {}))
}

/** Returns the containers whose restart the Engine's events show; none if they cannot be read. */
const seenRestarted = async (engine: Engine): Promise<ReadonlySet<string>> =>
  (await engine.restarted().catch(ignoreFailure('read the restarts of containers'))) ?? new Set()

/**
 * The Engine does not answer for a container that it has locked. Such a container is judged by its
 * entry in the list after this time. Milliseconds.
 */
const inspectTimeout = 1_500

/** How many containers are inspected at a time. */
const parallelReads = 16

type Runs = ReadonlyMap<string, ContainerRun | 'removed'>

async function inspect(
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
