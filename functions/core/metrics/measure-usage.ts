import type { ContainerSample, ContainerUsage } from '../records/container.ts'
import type { UsageLevel, UsageSeries } from '../records/usage-history.ts'
import { sampledId } from './history.ts'
import type { SampledHost } from './sample-host.ts'
import { hostKey, seriesKey } from './usage-key.ts'

const counterNames = ['networkRx', 'networkTx', 'blockRead', 'blockWrite'] as const

/** What the counters of a container were, to tell how fast they grow. */
export type Counters = Pick<ContainerUsage, (typeof counterNames)[number]> & { at: number }

/** The counters of the containers of a host, by their id. */
export type CountersById = ReadonlyMap<string, Counters>

/** What was measured of a host and its running containers, each with one point. */
export interface MeasuredUsage {
  host: UsageSeries
  containers: UsageSeries[]
  counters: CountersById
}

/**
 * Returns what a sample measured. Counters of containers become rates: unknown without a sample to
 * compare with that is at most `longestGap` milliseconds older, and after a restart, which sets
 * counters back. The Engine knows no network of the machine, so that of a host is the sum of its
 * containers. Containers of `docker compose run` are in the sums only.
 */
export function measureUsage(
  at: number,
  { containers, figures }: SampledHost,
  before: CountersById,
  longestGap: number,
): MeasuredUsage {
  const used = containers.flatMap((container) => {
    if (!container.usage) return []
    const rates = ratesOf(at, container.usage, before.get(container.id), longestGap)
    return [{ container, usage: container.usage, rates }]
  })
  const sums = counterNames.map((_, index) => sumOf(used.map(({ rates }) => rates[index] ?? null)))
  const room = [figures?.memoryTotal, figures?.disk, figures?.diskTotal]
  const values = [figures?.cpuPercent, figures?.memory, ...sums, ...room]
  return {
    host: { key: hostKey, name: '', id: '', points: [pointOf(at, values)] },
    containers: used.flatMap(({ container, usage, rates }) =>
      container.oneoff ? [] : [seriesOf(at, container, [usage.cpuPercent, usage.memory, ...rates])],
    ),
    counters: new Map(used.map(({ container, usage }) => [container.id, countersOf(at, usage)])),
  }
}

type Value = number | null | undefined

const seriesOf = (at: number, container: ContainerSample, values: readonly Value[]) => ({
  key: seriesKey(container),
  name: container.name,
  id: sampledId(container.id),
  points: [pointOf(at, values)],
})

const pointOf = (at: number, values: readonly Value[]) => ({
  at,
  minutes: 1,
  levels: values.map((value): UsageLevel => (typeof value === 'number' ? [value, value] : null)),
})

function countersOf(at: number, usage: ContainerUsage): Counters {
  const { networkRx, networkTx, blockRead, blockWrite } = usage
  return { at, networkRx, networkTx, blockRead, blockWrite }
}

/** Returns how much each counter grew a second. */
function ratesOf(
  at: number,
  usage: ContainerUsage,
  before: Counters | undefined,
  longestGap: number,
): (number | null)[] {
  const passed = before ? at - before.at : 0
  return counterNames.map((name) => {
    if (!before || passed <= 0 || passed > longestGap) return null
    const grown = usage[name] - before[name]
    return grown < 0 ? null : (grown * 1000) / passed
  })
}

/** Returns the sum of what is known; null if there are containers and nothing is known of any. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  if (values.length > 0 && known.length === 0) return null
  return known.reduce((sum, value) => sum + value, 0)
}
