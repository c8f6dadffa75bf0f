/** How far apart the points of a history are. */
export type UsageStep = 'minute' | 'ten_minutes' | 'hour'

/** Mean and largest value in the time of a point; null if nothing was measured. */
export type UsageLevel = readonly [mean: number, max: number] | null

/**
 * The figures of a point, in the order of its levels. A container has the first six, a host all.
 * Processor time is a percentage, the next and the last three are bytes, the others bytes a second.
 */
export const usageFigures = [
  'cpuPercent',
  'memory',
  'networkRx',
  'networkTx',
  'blockRead',
  'blockWrite',
  'memoryTotal',
  'disk',
  'diskTotal',
] as const

export type UsageFigure = (typeof usageFigures)[number]

/** What was used in a minute, ten minutes or an hour. */
export interface UsagePoint {
  /** When this time begins: milliseconds since the epoch, a multiple of the step. */
  at: number
  /** The number of minutes in which something was measured: the weight of the means. */
  minutes: number
  levels: readonly UsageLevel[]
}

/** The points of a host or of a container. */
export interface UsageSeries {
  /** The key of `seriesKey`; empty for the host itself. It survives a recreation. */
  key: string
  /** The last name of the container. */
  name: string
  /** The `sampledId` of the last container. */
  id: string
  points: readonly UsagePoint[]
}

/** The points of a host and its containers in one period. It is one item of the store. */
export interface UsageBlock {
  step: UsageStep
  /** When the period begins, in milliseconds since the epoch. */
  from: number
  /** Tells the blocks of one period apart: several processes may have written some. */
  mark: string
  series: readonly UsageSeries[]
  /** Names of containers that were measured and are in no series, because there are too many. */
  leftOut: readonly string[]
}
