import type { VolumeSize } from '../../../functions/core/records/host-engine.ts'
import { imageList } from './engine-images.ts'
import { type EngineState, type MemoryContainer, summaryOf } from './engine-state.ts'

/**
 * Returns the lists of an in-memory Engine. They are frozen, and the same arrays until something
 * changes.
 */
export function keptLists(state: EngineState) {
  const project = (labels: Record<string, string>) => labels['com.docker.compose.project'] ?? null
  const kept = <T>(make: () => T[]) => {
    let last: { changes: number; list: readonly T[] } | undefined
    return () => {
      if (last?.changes !== state.changes) {
        last = { changes: state.changes, list: Object.freeze(make()) }
      }
      return last.list
    }
  }
  const containers = (wanted: (container: MemoryContainer) => boolean) => () =>
    byName([...state.containers.values()].filter(wanted).map((one) => summaryOf(state, one)))

  return {
    all: kept(containers(() => true)),
    running: kept(containers((container) => container.state === 'running')),
    images: kept(() => imageList(state)),
    networks: kept(() =>
      byName(
        [...state.networks.values()].map(({ id, name, labels }) => ({
          id,
          name,
          driver: 'bridge',
          scope: 'local',
          internal: false,
          createdAt: state.now(),
          labels,
          stack: project(labels),
        })),
      ),
    ),
    volumes: kept(() =>
      byName(
        [...state.volumes.values()].map(({ name, labels }) => ({
          name,
          driver: 'local',
          mountpoint: `/var/lib/docker/volumes/${name}/_data`,
          createdAt: state.now(),
          labels,
          stack: project(labels),
        })),
      ),
    ),
  }
}

/** Returns the sizes of what was written to whole volumes. */
export const volumeSizes = (state: EngineState): readonly VolumeSize[] =>
  byName(
    [...state.volumes.keys()].map((name) => ({
      name,
      bytes: state.unmeasured.has(name)
        ? null
        : (state.archives.get(`volume ${name}`)?.length ?? 0),
    })),
  )

function byName<T extends { name: string }>(items: T[]): T[] {
  return items.sort((left, right) => (left.name < right.name ? -1 : 1))
}
