import type { ContainerSummary } from '../../../functions/core/records/container.ts'
import type {
  ImageSummary,
  NetworkSummary,
  VolumeSummary,
} from '../../../functions/core/records/host-engine.ts'
import { containerSummaries } from '../containers/listed.ts'
import { ownLabels } from '../containers/own-labels.ts'
import { imageSummaries, listImages, withContainerCounts } from '../images/images.ts'
import { listContainers } from '../inspect/container.ts'
import { listNetworks, networkSummaries } from '../networks-and-volumes/networks.ts'
import { listVolumes, volumeSummaries } from '../networks-and-volumes/volumes.ts'
import type { EngineChange, EngineEvents } from '../streams/events.ts'
import type { EngineClient } from '../transport/client.ts'
import { type Snapshot, snapshot } from './snapshot.ts'

/**
 * The Engine's lists. They are frozen, cached while its events report no change, and the same array
 * while the content is the same.
 */
export interface EngineLists {
  containers(): Promise<readonly ContainerSummary[]>
  /** The containers that `docker ps` shows. */
  running(): Promise<readonly ContainerSummary[]>
  images(): Promise<readonly ImageSummary[]>
  networks(): Promise<readonly NetworkSummary[]>
  volumes(): Promise<readonly VolumeSummary[]>
  /** Drops everything that was read before. */
  invalidate(): void
}

/**
 * Milliseconds for which a list is cached: while events arrive, without events, while a container's
 * age is in seconds, and shortly after a container changed.
 */
const lifetimes = { heard: 30_000, unheard: 500, ageing: 1000, lagging: 250 }
/**
 * Milliseconds for which a list may show the state before an event. The Engine reports the end of a
 * container before it cleans up after it and lists it as ended (seen: 400 ms on a busy host).
 */
const listLag = 5_000

/** Returns the lists of one Engine. */
export function engineLists(client: EngineClient, events: EngineEvents): EngineLists {
  const lifetime = () => (events.live() ? lifetimes.heard : lifetimes.unheard)
  const list = <T>(fetch: () => Promise<string>, parse: (text: string) => T[]) =>
    snapshot({ fetch, parse: (text) => frozen(parse(text)), lifetime })

  let changedAt = Number.NEGATIVE_INFINITY
  const containersLifetime = (value: readonly ContainerSummary[]) => {
    if (performance.now() - changedAt < listLag) return lifetimes.lagging
    // `Up 3 seconds` is only true for a second; `Up 3 minutes` may be half a minute late.
    return Math.min(lifetime(), value.some(isYoung) ? lifetimes.ageing : lifetimes.heard)
  }
  const withOwnLabels = ownLabels(client)
  const containers = snapshot({
    fetch: () => listContainers(client),
    parse: async (text) => frozen(await containerSummaries(text, withOwnLabels)),
    lifetime: containersLifetime,
  })
  const images = list(() => listImages(client), imageSummaries)
  const networks = list(() => listNetworks(client), networkSummaries)
  const volumes = list(() => listVolumes(client), volumeSummaries)
  const byKind: Record<EngineChange['kind'], Snapshot<unknown>> = {
    container: containers,
    image: images,
    network: networks,
    volume: volumes,
  }
  const invalidate = () => {
    for (const kept of Object.values(byKind)) kept.invalidate()
  }
  events.listen((change) => {
    if (!change) return invalidate()
    if (change.kind === 'container') changedAt = performance.now()
    byKind[change.kind]?.invalidate()
  })

  const onlyRunning = memoised((all: readonly ContainerSummary[]) => frozen(all.filter(isRunning)))
  const used = memoised((all: readonly ImageSummary[], by: readonly ContainerSummary[]) =>
    frozen(withContainerCounts(all, by)),
  )
  return {
    containers: () => containers.get(),
    running: async () => onlyRunning(await containers.get()),
    images: async () => used(...(await Promise.all([images.get(), containers.get()]))),
    networks: () => networks.get(),
    volumes: () => volumes.get(),
    invalidate,
  }
}

const isYoung = ({ status }: ContainerSummary) => /second/.test(status)

const isRunning = ({ state }: ContainerSummary) =>
  state === 'running' || state === 'paused' || state === 'restarting'

/** Caches the last result while the arguments are identical. */
function memoised<A extends unknown[], R>(compute: (...values: A) => R): (...values: A) => R {
  let last: { values: A; result: R } | undefined
  return (...values) => {
    if (!last || values.some((value, index) => value !== last?.values[index])) {
      last = { values, result: compute(...values) }
    }
    return last.result
  }
}

/** Freezes the list and its items, but not their labels and ports. All callers share them. */
function frozen<T>(items: T[]): readonly T[] {
  return Object.freeze(items.map((item) => Object.freeze(item)))
}
