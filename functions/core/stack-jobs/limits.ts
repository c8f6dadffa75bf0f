/** The maximum number of jobs of a stack. */
export const jobsMax = 20
/** The most runs of a job that are kept. */
export const keepRunsMax = 30
/** The longest time that a run may take. Seconds. */
export const timeoutMax = 86_400
/** The end of the output of a run that is kept. Bytes. */
export const logBytesMax = 16 * 1024
/** The beginning of the error of a run that is kept. Characters. */
export const errorMax = 500
/** Runs in progress, in all processes together, at which the schedule begins no other. */
export const runningMax = 8
