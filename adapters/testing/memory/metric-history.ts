import { historyRetention, sampledId } from '../../../functions/core/metrics/history.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { MetricHistory } from '../../../functions/core/ports/metric-history.ts'
import type { HostSample } from '../../../functions/core/records/metrics.ts'

/** Returns an in-memory metric history. */
export function memoryMetricHistory(clock: Clock): MetricHistory {
  const samples = new Map<string, HostSample[]>()
  const since = (hostId: string, at: number) => {
    const oldest = Math.max(at, clock.now() - historyRetention)
    return (samples.get(hostId) ?? []).filter(({ host }) => host.at >= oldest)
  }
  return {
    async add(hostId, sample) {
      samples.set(hostId, [...since(hostId, 0), structuredClone(sample)])
    },
    ofHost: async (hostId, at) => since(hostId, at).map(({ host }) => host),
    ofContainer: async (hostId, id, at) =>
      since(hostId, at).flatMap(({ host, containers }) => {
        const found = containers.find((one) => one.id === sampledId(id))
        return found ? [{ at: host.at, ...found.point }] : []
      }),
    latest: async (hostId) => since(hostId, 0).at(-1),
    lastAt: async (hostId) => since(hostId, 0).at(-1)?.host,
  }
}
