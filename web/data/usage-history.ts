import type { HostId } from '../host-ids.ts'
import type { components } from './api.types.ts'
import type { Resource } from './resource-cache.ts'
import { usePolled } from './use-polled.ts'

type HostPoint = components['schemas']['HostHistoryPoint']

/** A point of a container; that of a host also has its disk. */
export type HistoryPoint = components['schemas']['ContainerHistoryPoint'] &
  Partial<Pick<HostPoint, 'disk'>>

/** What a host or a container used over days. */
export interface UsageHistory {
  /** RFC 3339, as the next one. */
  from: string
  to: string
  step_seconds: number
  recording: boolean
  points: readonly HistoryPoint[]
  /** Names of containers without a history; only for a host. */
  left_out?: readonly string[]
}

export type HistoryRange = '1h' | '24h' | '7d' | '30d'

/** The shortest distance of two points. Milliseconds. */
const pace = 60_000

/** Reads the history of a host while the component is mounted. */
export const useHostHistory = (id: HostId, range: HistoryRange): Resource<UsageHistory> =>
  usePolled('/hosts/{id}/history', { id, range }, pace)

/** Reads the history of a container, with that of those it replaced. */
export const useContainerHistory = (
  { id, host }: { id: string; host: HostId },
  range: HistoryRange,
): Resource<UsageHistory> => usePolled('/containers/{id}/history', { id, host, range }, pace)
