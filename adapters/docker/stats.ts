import type { ContainerStats, ContainerUsage } from '../../functions/core/engine/engine.ts'
import type { EngineClient } from './client.ts'
import { inspectContainer } from './containers.ts'
import { checkedId } from './ids.ts'
import { jsonLines } from './json-lines.ts'

/**
 * Yields a container's resource usage once a second until it stops. The Engine then continues with
 * zeros, which end this.
 */
export async function* containerStats(
  client: EngineClient,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ContainerStats, void, void> {
  const { Id, State } = await inspectContainer(client, id, { signal })
  if (!State.Running) return
  const response = await client.stream({
    method: 'GET',
    path: `/containers/${checkedId('container', Id)}/stats`,
    query: { stream: true },
    signal,
  })
  for await (const sample of jsonLines(response)) {
    if (!isRunning(sample)) return
    // The first sample has nothing to compare with.
    if (sample.precpu_stats?.system_cpu_usage) yield statsOf(sample)
  }
}

/**
 * Returns false for the sample of a stopped container, which has a zero time, or no processes and
 * no memory.
 */
export const isRunning = ({ read, pids_stats, memory_stats }: any) =>
  !String(read).startsWith('0001-') &&
  ((pids_stats?.current ?? 0) > 0 || (memory_stats?.usage ?? 0) > 0)

/** Returns the Engine's sample in the units of `docker stats`. */
export function statsOf(sample: any): ContainerStats {
  const cpus = cpusOf(sample.cpu_stats)
  const percent = rounded(cpuPercent(sample, cpus))
  return { time: sample.read, cpuPercent: percent, cpus, ...usedOf(sample) }
}

/**
 * Returns the usage in a single sample. Processor usage is relative to the sample before, if there
 * is one.
 */
export function usageOf(sample: any, before: any): ContainerUsage {
  const both = { cpu_stats: sample.cpu_stats, precpu_stats: before?.cpu_stats }
  const percent = before && rounded(cpuPercent(both, cpusOf(sample.cpu_stats)))
  return { cpuPercent: percent ?? null, ...usedOf(sample) }
}

function usedOf(sample: any) {
  const { memory_stats: memory = {}, networks, blkio_stats, pids_stats } = sample
  const used = memoryUsed(memory)
  const limit = memory.limit ?? 0
  const nets = Object.values<any>(networks ?? {})
  return {
    memory: used,
    memoryLimit: limit,
    memoryPercent: rounded(limit > 0 ? (used / limit) * 100 : 0),
    networkRx: sum(nets.map((net) => net.rx_bytes)),
    networkTx: sum(nets.map((net) => net.tx_bytes)),
    blockRead: blocks(blkio_stats, 'r'),
    blockWrite: blocks(blkio_stats, 'w'),
    pids: pids_stats?.current ?? 0,
  }
}

const cpusOf = (stats: any): number =>
  stats?.online_cpus || stats?.cpu_usage?.percpu_usage?.length || 1

/**
 * Returns the container's share of the machine's processor time since the last sample, in percent
 * of one processor.
 */
function cpuPercent({ cpu_stats, precpu_stats }: any, cpus: number): number {
  const own = cpu_stats.cpu_usage.total_usage - precpu_stats.cpu_usage.total_usage
  const all = cpu_stats.system_cpu_usage - precpu_stats.system_cpu_usage
  return own > 0 && all > 0 ? (own / all) * cpus * 100 : 0
}

/**
 * Returns memory without the reclaimable page cache: `total_inactive_file` of cgroup v1,
 * `inactive_file` of v2.
 */
function memoryUsed({ usage = 0, stats = {} }: any): number {
  const cache = stats.total_inactive_file ?? stats.inactive_file ?? 0
  return cache < usage ? usage - cache : usage
}

/** Returns the bytes read or written on all devices. */
function blocks(stats: any, kind: 'r' | 'w'): number {
  const entries: any[] = stats?.io_service_bytes_recursive ?? []
  return sum(entries.filter(({ op }) => op?.[0]?.toLowerCase() === kind).map(({ value }) => value))
}

const sum = (values: number[]) => values.reduce((total, value) => total + (value ?? 0), 0)
const rounded = (value: number) => Math.round(value * 100) / 100
