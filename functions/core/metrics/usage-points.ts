import { groupBy } from '../group-by.ts'
import type {
  UsageBlock,
  UsageLevel,
  UsagePoint,
  UsageSeries,
  UsageStep,
} from '../records/usage-history.ts'
import { hostKey } from './usage-key.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The distance of two points, in milliseconds. */
export const stepMs: Readonly<Record<UsageStep, number>> = {
  minute,
  ten_minutes: 10 * minute,
  hour,
}

/** The period of a block, in milliseconds. A block has 10, 12 or 24 points of a series. */
export const blockMs: Readonly<Record<UsageStep, number>> = {
  minute: 10 * minute,
  ten_minutes: 2 * hour,
  hour: day,
}

/** How long points are kept at most, in milliseconds. */
const keptMs: Readonly<Record<UsageStep, number>> = {
  minute: 2 * hour,
  ten_minutes: 2 * day,
  hour: 31 * day,
}

/** Containers in a block, and names of containers that are left out. */
export const seriesMax = 100

/** Returns how long points are kept, in milliseconds, if the setting allows `days`. */
export const keptFor = (step: UsageStep, days: number): number => Math.min(keptMs[step], days * day)

/** Returns when a block expires: once its last point is no longer kept. */
export const expiryOf = ({ step, from }: Pick<UsageBlock, 'step' | 'from'>, days: number): number =>
  from + blockMs[step] + keptFor(step, days)

/** Returns the beginning of the period of `width` milliseconds that a time is in. */
export const startOf = (at: number, width: number): number => Math.floor(at / width) * width

/**
 * Returns one point for each period of `width` milliseconds that has points, oldest first. Means
 * are weighted by the minutes that were measured. A period without points stays a gap.
 */
export function thin(points: readonly UsagePoint[], width: number): UsagePoint[] {
  return [...groupBy(points, ({ at }) => startOf(at, width))]
    .sort(([one], [other]) => one - other)
    .map(([at, group]) => joined(at, group))
}

/** Adds what only finer points know to points of a width, and returns all, oldest first. */
export function withFiner(
  points: readonly UsagePoint[],
  finer: readonly UsagePoint[],
  width: number,
): UsagePoint[] {
  const known = new Set(points.map(({ at }) => at))
  const added = thin(finer, width).filter(({ at }) => !known.has(at))
  return [...points, ...added].sort((one, other) => one.at - other.at)
}

/** Returns each series of some blocks once. Its name and id are those of the last block. */
export function seriesIn(blocks: readonly Pick<UsageBlock, 'series'>[]): UsageSeries[] {
  const groups = groupBy(
    blocks.flatMap(({ series }) => series),
    ({ key }) => key,
  )
  return [...groups.values()].flatMap((group) => {
    const last = group.at(-1)
    return last ? [{ ...last, points: group.flatMap(({ points }) => points) }] : []
  })
}

/**
 * Returns the host and at most `seriesMax` containers: those that were measured longest. The names
 * of the others are added to those that are left out.
 */
export function boundSeries(
  series: readonly UsageSeries[],
  leftOut: readonly string[],
): Pick<UsageBlock, 'series' | 'leftOut'> {
  const ranked = series
    .filter(({ key }) => key !== hostKey)
    .map((one) => ({ one, minutes: minutesOf(one) }))
    .sort((a, b) => b.minutes - a.minutes || (a.one.key < b.one.key ? -1 : 1))
    .map(({ one }) => one)
  const kept = ranked.slice(0, seriesMax)
  const rest = ranked.slice(seriesMax).map(({ name }) => name)
  return {
    series: [...series.filter(({ key }) => key === hostKey), ...kept],
    leftOut: boundNames([...leftOut, ...rest], kept),
  }
}

/** Returns the names that no series has, sorted, each once, at most `seriesMax`. */
export function boundNames(names: readonly string[], series: readonly UsageSeries[]): string[] {
  const known = new Set(series.map(({ name }) => name))
  const left = names.filter((name) => !known.has(name))
  return [...new Set(left)].sort().slice(0, seriesMax)
}

const minutesOf = ({ points }: UsageSeries) => points.reduce((sum, one) => sum + one.minutes, 0)

function joined(at: number, group: readonly UsagePoint[]): UsagePoint {
  const length = Math.max(...group.map(({ levels }) => levels.length))
  const minutes = group.reduce((sum, one) => sum + one.minutes, 0)
  return { at, minutes, levels: Array.from({ length }, (_, figure) => levelOf(group, figure)) }
}

/** Returns mean and largest value of one figure over some points. */
function levelOf(group: readonly UsagePoint[], figure: number): UsageLevel {
  const known = group.flatMap(({ minutes, levels }) => {
    const level = levels[figure]
    return level ? [{ minutes, mean: level[0], max: level[1] }] : []
  })
  const weight = known.reduce((sum, { minutes }) => sum + minutes, 0)
  if (weight <= 0) return null
  const sum = known.reduce((all, { minutes, mean }) => all + minutes * mean, 0)
  return [sum / weight, Math.max(...known.map(({ max }) => max))]
}
