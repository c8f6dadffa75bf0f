/** How far the clocks of two processes may differ. Milliseconds. */
export const skewMax = 5 * 60_000

/** Whether a recorded time is in the future: the clock was ahead when it was recorded. */
export const isAhead = (recorded: number, now: number): boolean => recorded > now + skewMax
