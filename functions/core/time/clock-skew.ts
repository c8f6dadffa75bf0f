/** How far the clocks of two processes may differ. Milliseconds. */
export const skewMax = 5 * 60_000

/** Returns whether a time is in the future, so that it was recorded by a clock that was ahead. */
export const isAhead = (recorded: number, now: number): boolean => recorded > now + skewMax
