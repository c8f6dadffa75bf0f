/**
 * Returns the processor time that this process has used, in milliseconds. Unlike a clock it does
 * not count the time that other processes of a busy machine took.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
