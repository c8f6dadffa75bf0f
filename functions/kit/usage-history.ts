import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import { type UsageRecord, usagePointsMax, usageRangeNames } from '../core/metrics/read-usage.ts'
import { type UsageFigure, type UsagePoint, usageFigures } from '../core/records/usage-history.ts'

/** The query parameters of a history. */
export const UsageQuery = z.object({
  range: z.enum(usageRangeNames).default('24h').meta({
    description:
      'How far back: `24h` with a point for each ten minutes (the default), `1h` for each minute, `7d` and `30d` for each hour',
  }),
})

const Percentage = z
  .object({
    mean: z.number().describe('Mean over the time of the point'),
    max: z.number().describe('Largest value in that time'),
  })
  .meta({ id: 'UsagePercentage', description: 'A percentage over the time of a point' })

const Size = z
  .object({
    mean: z.int().describe('Mean over the time of the point'),
    max: z.int().describe('Largest value in that time'),
  })
  .meta({ id: 'UsageSize', description: 'Bytes, or bytes a second, over the time of a point' })

/** The figures that hosts and containers have. */
export const pointFields = {
  time: Instant.describe('When the time of the point begins'),
  cpu_percent: Percentage.nullable().describe(
    'Percentage of all processors of a host, or of one processor for a container; `null` if it was not measured',
  ),
  memory: Size.nullable().describe('Bytes of memory; `null` if they were not measured'),
  network_rx: Size.nullable().describe(
    'Bytes received a second, on a host by its containers; `null` if they were not measured',
  ),
  network_tx: Size.nullable().describe(
    'Bytes sent a second, on a host by its containers; `null` if they were not measured',
  ),
  block_read: Size.nullable().describe(
    'Bytes a second read from disks, on a host by its containers; `null` if they were not measured',
  ),
  block_write: Size.nullable().describe(
    'Bytes a second written to disks, on a host by its containers; `null` if they were not measured',
  ),
}

/** The figures that only hosts have. */
export const hostPointFields = {
  memory_total: z
    .int()
    .nullable()
    .describe('Memory of the machine in bytes; `null` if it was not measured'),
  disk: Size.nullable().describe(
    'Used bytes of the file system with the Docker data; `null` if they were not measured',
  ),
  disk_total: z
    .int()
    .nullable()
    .describe('Size of that file system in bytes; `null` if it was not measured'),
}

/** What a response says of the history itself. */
export const recordFields = {
  from: Instant.describe('Beginning of the range'),
  to: Instant.describe('End of the range: now'),
  step_seconds: z
    .int()
    .describe('Seconds between two points. Where they are further apart, nothing was measured'),
  recording: z
    .boolean()
    .describe('Whether usage is recorded: not if the setting `metrics.history_days` is 0'),
}

/** Most points of a response. */
export const pointsMax = usagePointsMax

/** Returns the values of `recordFields`. */
export const showRecord = ({ from, to, stepMs, isRecording }: UsageRecord) => ({
  from: instant(from),
  to: instant(to),
  step_seconds: stepMs / 1000,
  recording: isRecording,
})

/** Returns a point of a container. */
export function showPoint(point: UsagePoint) {
  const size = sizesIn(point)
  return {
    time: instant(point.at),
    cpu_percent: percentage(point),
    memory: size('memory'),
    network_rx: size('networkRx'),
    network_tx: size('networkTx'),
    block_read: size('blockRead'),
    block_write: size('blockWrite'),
  }
}

/** Returns a point of a host. */
export function showHostPoint(point: UsagePoint) {
  const size = sizesIn(point)
  return {
    ...showPoint(point),
    memory_total: size('memoryTotal')?.max ?? null,
    disk: size('disk'),
    disk_total: size('diskTotal')?.max ?? null,
  }
}

const levelIn = ({ levels }: UsagePoint, figure: UsageFigure) =>
  levels[usageFigures.indexOf(figure)] ?? null

function percentage(point: UsagePoint) {
  const level = levelIn(point, 'cpuPercent')
  return level && { mean: twoDigits(level[0]), max: twoDigits(level[1]) }
}

const sizesIn = (point: UsagePoint) => (figure: UsageFigure) => {
  const level = levelIn(point, figure)
  return level && { mean: Math.round(level[0]), max: Math.round(level[1]) }
}

const twoDigits = (value: number) => Math.round(value * 100) / 100
