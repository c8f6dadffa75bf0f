import { stepMs } from '../../functions/core/metrics/usage-points.ts'
import type {
  UsageBlock,
  UsageLevel,
  UsagePoint,
  UsageStep,
} from '../../functions/core/records/usage-history.ts'

/**
 * A point without property names, which would be most of its size: its place in the block, its
 * minutes, and mean and largest value of each figure.
 */
type PackedPoint = [place: number, minutes: number, ...levels: (number | null)[]]

/** The content of an item. */
export interface PackedBlock {
  series: [key: string, name: string, id: string, points: PackedPoint[]][]
  leftOut: readonly string[]
}

/** Returns the content of an item for a block. Values are rounded. */
export const packBlock = ({ step, from, series, leftOut }: UsageBlock): PackedBlock => ({
  series: series.map(({ key, name, id, points }) => [
    key,
    name,
    id,
    points.map(({ at, minutes, levels }): PackedPoint => {
      return [(at - from) / stepMs[step], minutes, ...levels.flatMap(packLevel)]
    }),
  ]),
  leftOut,
})

/** Returns what `packBlock` made of a block, with the values rounded. */
export function unpackBlock(
  { series, leftOut }: PackedBlock,
  place: { step: UsageStep; from: number; mark: string },
): UsageBlock {
  const { step, from } = place
  const pointOf = ([index, minutes, ...values]: PackedPoint): UsagePoint => ({
    at: from + index * stepMs[step],
    minutes,
    levels: levelsOf(values),
  })
  return {
    ...place,
    series: series.map(([key, name, id, points]) => ({
      key,
      name,
      id,
      points: points.map(pointOf),
    })),
    leftOut,
  }
}

const packLevel = (level: UsageLevel): (number | null)[] =>
  level ? [rounded(level[0]), rounded(level[1])] : [null, null]

/** Percentages keep two digits, sizes none. */
const rounded = (value: number) =>
  Math.abs(value) < 1000 ? Math.round(value * 100) / 100 : Math.round(value)

function levelsOf(values: readonly (number | null)[]): UsageLevel[] {
  return Array.from({ length: values.length / 2 }, (_, index): UsageLevel => {
    const [mean, max] = [values[2 * index], values[2 * index + 1]]
    return typeof mean === 'number' && typeof max === 'number' ? [mean, max] : null
  })
}
