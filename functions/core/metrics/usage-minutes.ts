import type { UsageBlock, UsageSeries } from '../records/usage-history.ts'
import { type CountersById, measureUsage } from './measure-usage.ts'
import type { SampledHost } from './sample-host.ts'
import { hostKey } from './usage-key.ts'
import { blockMs, boundNames, seriesIn, seriesMax, startOf, stepMs, thin } from './usage-points.ts'

/** A minute that is not over. Its points have the times of the samples. */
interface OpenMinute {
  at: number
  series: readonly UsageSeries[]
  leftOut: readonly string[]
}

/** What a process remembers of the samples of a host. */
export interface UsageMinutes {
  counters: CountersById
  minute: OpenMinute | undefined
  /** The block that it last wrote. */
  block: UsageBlock | undefined
}

/** Nothing is remembered: before the first sample, and after another process took over. */
export const noMinutes: UsageMinutes = {
  counters: new Map(),
  minute: undefined,
  block: undefined,
}

export interface UsageSample {
  /** When it was taken, in milliseconds since the epoch. */
  at: number
  /** Undefined if the host did not respond. */
  found: SampledHost | undefined
  /** Milliseconds since the sample before, above which nothing is said of the time between. */
  longestGap: number
}

/**
 * Adds a sample. Returns what to remember, and the block to write if a minute is over: it has the
 * minutes before too, so it replaces the one that was written last. A clock that was set back or
 * ahead ends a minute as well, and a host that is away leaves a gap.
 */
export function addSample(
  state: UsageMinutes,
  { at, found, longestGap }: UsageSample,
  newMark: () => string,
): { next: UsageMinutes; closed: UsageBlock | undefined } {
  const start = startOf(at, stepMs.minute)
  const isOver = state.minute !== undefined && state.minute.at !== start
  const closed = isOver && state.minute ? withMinute(state.block, state.minute, newMark) : undefined
  const block = closed ?? state.block
  const open = isOver ? undefined : state.minute
  if (!found) return { next: { ...state, block, minute: open }, closed }
  const { host, containers, counters } = measureUsage(at, found, state.counters, longestGap)
  const { followed, leftOut } = choose(containers, open, block, start)
  const minute = {
    at: start,
    series: seriesIn([{ series: open?.series ?? [] }, { series: [host, ...followed] }]),
    leftOut: [...new Set([...(open?.leftOut ?? []), ...leftOut])],
  }
  return { next: { counters, block, minute }, closed }
}

/**
 * Chooses the containers that a block has room for. Those that it has stay in it; then come those
 * of the block before, so that a new container displaces none.
 */
function choose(
  containers: readonly UsageSeries[],
  open: OpenMinute | undefined,
  block: UsageBlock | undefined,
  start: number,
): { followed: UsageSeries[]; leftOut: string[] } {
  const isSame = block?.from === startOf(start, blockMs.minute)
  const inOpen = keysOf(open?.series ?? [])
  const inBlock = keysOf(block?.series ?? [])
  const taken = new Set([...inOpen, ...(isSame ? inBlock : [])])
  const others = containers.filter(({ key }) => !taken.has(key))
  const last = new Set(inBlock)
  const rank = ({ key }: UsageSeries) => (last.has(key) ? 0 : 1)
  others.sort((one, other) => rank(one) - rank(other) || (one.key < other.key ? -1 : 1))
  const room = Math.max(0, seriesMax - taken.size)
  const followed = containers.filter(({ key }) => taken.has(key))
  return {
    followed: [...followed, ...others.slice(0, room)],
    leftOut: others.slice(room).map(({ name }) => name),
  }
}

const keysOf = (series: readonly UsageSeries[]) =>
  series.map(({ key }) => key).filter((key) => key !== hostKey)

function withMinute(
  block: UsageBlock | undefined,
  minute: OpenMinute,
  newMark: () => string,
): UsageBlock {
  const from = startOf(minute.at, blockMs.minute)
  const before = block?.from === from ? block : undefined
  const closed = minute.series.map((one) => ({
    ...one,
    // However many samples it had, it is one minute.
    points: thin(one.points, stepMs.minute).map((point) => ({ ...point, minutes: 1 })),
  }))
  const series = seriesIn([...(before ? [before] : []), { series: closed }]).map((one) => ({
    ...one,
    // A clock that was set back repeats minutes.
    points: thin(one.points, stepMs.minute),
  }))
  const leftOut = boundNames([...(before?.leftOut ?? []), ...minute.leftOut], series)
  return { step: 'minute', from, mark: before?.mark ?? newMark(), series, leftOut }
}
