import type { Needs } from '../ports/ports.ts'
import type { UsageBlock, UsagePoint, UsageSeries, UsageStep } from '../records/usage-history.ts'
import { sampledId } from './history.ts'
import { boundNames, keptFor, seriesIn, startOf, stepMs, thin, withFiner } from './usage-points.ts'

const hour = 3_600_000

/** The times that a history can be read for, with the distance of their points. */
export const usageRanges = {
  '1h': { step: 'minute', length: hour },
  '24h': { step: 'ten_minutes', length: 24 * hour },
  '7d': { step: 'hour', length: 7 * 24 * hour },
  '30d': { step: 'hour', length: 30 * 24 * hour },
} as const satisfies Record<string, { step: UsageStep; length: number }>

export type UsageRange = keyof typeof usageRanges

export const usageRangeNames = Object.keys(usageRanges) as UsageRange[]

/** Most points of a range: 30 days of hours, with the one that is not over. */
export const usagePointsMax = 30 * 24 + 1

/** The steps from the finest one. */
const steps: readonly UsageStep[] = ['minute', 'ten_minutes', 'hour']

/** Points of the last hours are not thinned yet, or those of a process that was killed. */
const notThinned = 4 * hour

/** What is known of a host and its containers in a range. */
export interface UsageRecord {
  /** In milliseconds since the epoch. */
  from: number
  to: number
  /** Milliseconds between two points, if nothing is missing. */
  stepMs: number
  isRecording: boolean
  series: UsageSeries[]
  leftOut: string[]
}

/**
 * Returns the history of a host and its containers. Points that are not thinned yet are thinned
 * here, so that it lasts to the present minute. Times without a sample have no point.
 */
export async function readUsage(
  hostId: string,
  range: UsageRange,
  { usageHistory, settings, clock }: Needs<'usageHistory' | 'settings' | 'clock'>,
): Promise<UsageRecord> {
  const values = await settings.get()
  const days = values['metrics.history_days']
  const now = clock.now()
  const { step, length } = usageRanges[range]
  const from = startOf(now - Math.min(length, keptFor('hour', days)), stepMs[step])
  const read = steps.slice(0, steps.indexOf(step) + 1)
  const lists = await Promise.all(
    read.map((one) => {
      const since = one === step ? from : Math.max(from, now - notThinned)
      return days === 0 ? [] : usageHistory.list(hostId, one, since)
    }),
  )
  const isShown = ({ at }: UsagePoint) => at >= from && at <= now
  const series = joinSteps(read, lists)
    .map((one) => ({ ...one, points: one.points.filter(isShown) }))
    .filter(({ points }) => points.length > 0)
  const names = lists.flat().flatMap(({ leftOut }) => leftOut)
  return {
    from,
    to: now,
    stepMs: Math.max(stepMs[step], values['metrics.sample_seconds'] * 1000),
    isRecording: days > 0,
    series,
    leftOut: boundNames(names, series),
  }
}

/** Joins the points of all steps, from the finest one, to those of the last step. */
function joinSteps(
  read: readonly UsageStep[],
  lists: readonly (readonly UsageBlock[])[],
): UsageSeries[] {
  let joined: UsageSeries[] = []
  for (const [index, step] of read.entries()) {
    const finer = new Map(joined.map((one) => [one.key, one]))
    const own = new Map(seriesIn(lists[index] ?? []).map((one) => [one.key, one]))
    joined = [...new Set([...own.keys(), ...finer.keys()])].flatMap((key) => {
      const [mine, fine] = [own.get(key), finer.get(key)]
      const last = fine ?? mine
      if (!last) return []
      const points = thin(mine?.points ?? [], stepMs[step])
      return [{ ...last, points: withFiner(points, fine?.points ?? [], stepMs[step]) }]
    })
  }
  return joined
}

/**
 * Returns the series of a container by its name or its full id, the one with the newest point if
 * several had the name. Undefined for an unknown one.
 */
export function findSeries(series: readonly UsageSeries[], named: string): UsageSeries | undefined {
  const isId = /^[0-9a-f]{64}$/.test(named)
  const found = series.filter(
    ({ key, name, id }) => key !== '' && (name === named || (isId && id === sampledId(named))),
  )
  const lastAt = ({ points }: UsageSeries) => points.at(-1)?.at ?? 0
  return found.sort((one, other) => lastAt(other) - lastAt(one))[0]
}
