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

/** Points as a chart draws them: times in seconds, and null where the line is interrupted. */
export interface SpacedPoints {
  times: number[]
  points: (HistoryPoint | null)[]
}

/**
 * Returns the points of a history with a gap wherever nothing was measured. A point lasts until the
 * next one, or else for its step, so that one alone is a line too.
 */
export function spacedPoints({
  points,
  step_seconds: step,
  to,
}: Pick<UsageHistory, 'points' | 'step_seconds' | 'to'>): SpacedPoints {
  const spaced: SpacedPoints = { times: [], points: [] }
  const add = (time: number, point: HistoryPoint | null) => {
    spaced.times.push(time)
    spaced.points.push(point)
  }
  for (const [index, point] of points.entries()) {
    const at = secondsOf(point.time)
    const after = points[index + 1]
    const next = after ? secondsOf(after.time) : undefined
    add(at, point)
    if (next !== undefined && next - at <= 1.5 * step) continue
    const end = Math.min(at + step, secondsOf(to))
    if (end > at) add(end, point)
    if (next !== undefined) add((Math.max(end, at) + next) / 2, null)
  }
  return spaced
}

/**
 * Returns when the history begins, if that is later than its range: it was not recorded before, or
 * what it is about did not run.
 */
export function beginsAt({ points, from, step_seconds }: UsageHistory): string | undefined {
  const first = points[0]?.time
  if (first === undefined) return undefined
  return secondsOf(first) - secondsOf(from) > 2 * step_seconds ? first : undefined
}

const secondsOf = (time: string) => Date.parse(time) / 1000
