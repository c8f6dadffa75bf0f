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
/**
 * Runs in progress on a host, in all processes together, at which the schedule begins no other
 * there. It is counted for each host: an account that may use only one cannot hold up the others.
 */
export const runningMax = 8
