import type { components } from './api.types.ts'

type HostMetrics = components['schemas']['HostMetrics']

export type Measure = 'cpu' | 'memory' | 'disk'

const shareOf: Record<Measure, (sample: HostMetrics) => number | null> = {
  cpu: ({ cpu_percent }) => cpu_percent,
  memory: ({ memory_percent }) => memory_percent,
  disk: ({ disk_percent }) => disk_percent,
}

/** Returns the percentage of a measure in a sample, or null if it was not measured then. */
export const percentOf = (sample: HostMetrics, of: Measure): number | null => shareOf[of](sample)

/** Returns the percentages of a measure over time, without samples that lack it. */
export const percentages = (samples: readonly HostMetrics[], of: Measure): number[] =>
  samples.map(shareOf[of]).filter((value) => value !== null)

/**
 * Returns the newest sample that has a measure, or undefined if there is none or the host is
 * offline. Not every sample has all of them: a disk that answers late is left out.
 */
export function latestSample(
  samples: readonly HostMetrics[] = [],
  of: Measure,
): HostMetrics | undefined {
  if (samples.at(-1)?.online !== true) return undefined
  return samples.findLast((sample) => sample.online && shareOf[of](sample) !== null)
}
