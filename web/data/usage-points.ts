import type { HistoryPoint, UsageHistory } from './usage-history.ts'

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
