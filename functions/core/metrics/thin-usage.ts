import { groupBy } from '../group-by.ts'
import type { Needs } from '../ports/ports.ts'
import type { UsageBlock, UsagePoint, UsageSeries, UsageStep } from '../records/usage-history.ts'
import {
  blockMs,
  boundSeries,
  expiryOf,
  keptFor,
  seriesIn,
  startOf,
  stepMs,
  thin,
} from './usage-points.ts'

/** A time from `from` up to but not including `to`, in milliseconds since the epoch. */
interface Span {
  from: number
  to: number
}

/**
 * The mark of blocks that were thinned. Two processes that thin the same points write the same
 * block.
 */
export const thinnedMark = 'thinned'

/**
 * Returns the blocks with the points of a span that finer blocks have and those of the step do not.
 * Each has the points that it had before too.
 */
export function missingBlocks(
  step: UsageStep,
  finer: readonly UsageBlock[],
  known: readonly UsageBlock[],
  { from, to }: Span,
): UsageBlock[] {
  const times = new Map(
    seriesIn(known).map(({ key, points }) => [key, new Set(points.map(({ at }) => at))]),
  )
  const added = seriesIn(finer).flatMap((series) => {
    const within = series.points.filter(({ at }) => at >= from && at < to)
    return thin(within, stepMs[step])
      .filter(({ at }) => !times.get(series.key)?.has(at))
      .map((point) => ({ series, point }))
  })
  const leftOut = finer.flatMap((block) => block.leftOut)
  return [...groupBy(added, ({ point }) => startOf(point.at, blockMs[step]))].map(
    ([start, points]) => {
      const before = known.find((one) => one.from === start && one.mark === thinnedMark)
      const names = [...(before?.leftOut ?? []), ...leftOut]
      const series = seriesIn([...(before ? [before] : []), { series: points.map(oneOf) }])
      return { step, from: start, mark: thinnedMark, ...boundSeries(series, names) }
    },
  )
}

const oneOf = ({ series, point }: { series: UsageSeries; point: UsagePoint }) => ({
  ...series,
  points: [point],
})

/**
 * Thins the minutes of a host that are over to ten minutes, and these to hours. What was thinned
 * before stays as it is, so a repeated or a late call changes nothing.
 *
 * @param thinnedTo what the call before returned; undefined for the first one of a process, which
 *   also takes up what another one left
 * @param days how long hours are kept
 * @returns up to when all is thinned
 */
export async function thinUsage(
  hostId: string,
  thinnedTo: number | undefined,
  days: number,
  ports: Needs<'usageHistory' | 'clock'>,
): Promise<number> {
  const now = ports.clock.now()
  const to = startOf(now, stepMs.ten_minutes)
  if (thinnedTo === to) return to
  // A clock that was ahead is right again.
  const since = thinnedTo !== undefined && thinnedTo < to ? thinnedTo : undefined
  const thinInto = async (step: UsageStep, finer: UsageStep) => {
    const width = stepMs[step]
    const span = {
      from: since === undefined ? now - keptFor(finer, days) + width : since,
      to: startOf(now, width),
    }
    span.from = startOf(span.from, width)
    if (span.from >= span.to) return
    const [fine, known] = await Promise.all([
      ports.usageHistory.list(hostId, finer, span.from),
      ports.usageHistory.list(hostId, step, span.from),
    ])
    for (const block of missingBlocks(step, fine, known, span)) {
      await ports.usageHistory.put(hostId, block, expiryOf(block, days))
    }
  }
  await thinInto('ten_minutes', 'minute')
  await thinInto('hour', 'ten_minutes')
  return to
}
