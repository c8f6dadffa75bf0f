/** A sample of counters that only grow while a container runs. */
interface Sample {
  time: string
  network_rx: number
  network_tx: number
  block_read: number
  block_write: number
}

type Counter = Exclude<keyof Sample, 'time'>

/** Longer gaps have no rate: nothing is known of the time in between. */
const longestGap = 90

/**
 * Returns how much a counter grew a second, for each sample. Null where there is no earlier sample
 * to compare with, or the container was started again and counts from 0.
 */
export function ratesOf(samples: readonly Sample[], counter: Counter): (number | null)[] {
  return samples.map((sample, index) => {
    const before = samples[index - 1]
    if (!before) return null
    const seconds = (Date.parse(sample.time) - Date.parse(before.time)) / 1000
    const grown = sample[counter] - before[counter]
    if (seconds <= 0 || seconds > longestGap || grown < 0) return null
    return grown / seconds
  })
}
