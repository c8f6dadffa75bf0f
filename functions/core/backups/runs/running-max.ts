/** Runs in progress, in all processes together, at which no further run starts by itself. */
export const runningMax = 4
