import type { ContainerStats, ContainerUsage } from '../../../functions/core/records/container.ts'
import { inspectContainer } from '../inspect/container.ts'
import { checkedId } from '../names/ids.ts'
import { jsonLines } from '../responses/json-lines.ts'
import type { EngineClient } from '../transport/client.ts'

/** The parts of the Engine's sample that are read. It is not checked, so each may be missing. */
export interface EngineSample {
  read?: string
  cpu_stats?: CpuStats
  precpu_stats?: CpuStats
  memory_stats?: MemoryStats
  networks?: Record<string, { rx_bytes?: number; tx_bytes?: number }> | null
  blkio_stats?: { io_service_bytes_recursive?: { op?: string; value?: number }[] | null }
  pids_stats?: { current?: number }
}

interface CpuStats {
  online_cpus?: number
  system_cpu_usage?: number
  cpu_usage?: { total_usage?: number; percpu_usage?: number[] | null }
}

interface MemoryStats {
  usage?: number
  limit?: number
  stats?: { total_inactive_file?: number; inactive_file?: number }
}

/**
 * Yields a container's resource usage once a second until it stops. The Engine then continues with
 * zeros. It also sends zeros for a running container, for example while systemd moves its control
 * group; these are left out.
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
  for await (const sample of jsonLines<EngineSample>(response)) {
    if (!isRunning(sample)) {
      const now = await inspectContainer(client, Id, { signal })
      if (!now.State.Running) return
    } else if (sample.precpu_stats?.system_cpu_usage) {
      // The first sample has nothing to compare with.
      yield statsOf(sample)
    }
  }
}

/**
 * Returns false for the sample of a stopped container, which has a zero time, or no processes and
 * no memory.
 */
export const isRunning = ({ read, pids_stats, memory_stats }: EngineSample) =>
  !String(read).startsWith('0001-') &&
  ((pids_stats?.current ?? 0) > 0 || (memory_stats?.usage ?? 0) > 0)

/** Returns the Engine's sample in the units of `docker stats`. */
export function statsOf(sample: EngineSample): ContainerStats {
  const cpus = cpusOf(sample.cpu_stats)
  const percent = rounded(cpuPercent(sample, cpus))
  return { time: sample.read ?? '', cpuPercent: percent, cpus, ...usedOf(sample) }
}

/**
 * Returns the usage in a single sample. Processor usage is relative to the sample before, if there
 * is one.
 */
export function usageOf(
  sample: EngineSample,
  before: Pick<EngineSample, 'cpu_stats'> | undefined,
): ContainerUsage {
  const both = { cpu_stats: sample.cpu_stats, precpu_stats: before?.cpu_stats }
  const percent = before && rounded(cpuPercent(both, cpusOf(sample.cpu_stats)))
  return { cpuPercent: percent ?? null, ...usedOf(sample) }
}

function usedOf(sample: EngineSample) {
  const { memory_stats: memory = {}, networks, blkio_stats, pids_stats } = sample
  const used = memoryUsed(memory)
  const limit = memory.limit ?? 0
  const nets = Object.values(networks ?? {})
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

const cpusOf = (stats: CpuStats | undefined): number =>
  stats?.online_cpus || stats?.cpu_usage?.percpu_usage?.length || 1

/**
 * Returns the container's share of the machine's processor time since the last sample, in percent
 * of one processor.
 */
function cpuPercent({ cpu_stats, precpu_stats }: EngineSample, cpus: number): number {
  const own = usedBy(cpu_stats) - usedBy(precpu_stats)
  const all =
    (cpu_stats?.system_cpu_usage ?? Number.NaN) - (precpu_stats?.system_cpu_usage ?? Number.NaN)
  return own > 0 && all > 0 ? (own / all) * cpus * 100 : 0
}

/**
 * Returns memory without the reclaimable page cache: `total_inactive_file` of cgroup v1,
 * `inactive_file` of v2.
 */
function memoryUsed({ usage = 0, stats = {} }: MemoryStats): number {
  const cache = stats.total_inactive_file ?? stats.inactive_file ?? 0
  return cache < usage ? usage - cache : usage
}

/** Returns the bytes read or written on all devices. */
function blocks(stats: EngineSample['blkio_stats'], kind: 'r' | 'w'): number {
  const entries = stats?.io_service_bytes_recursive ?? []
  return sum(entries.filter(({ op }) => op?.[0]?.toLowerCase() === kind).map(({ value }) => value))
}

const usedBy = (stats: CpuStats | undefined) => stats?.cpu_usage?.total_usage ?? Number.NaN
const sum = (values: (number | undefined)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)
const rounded = (value: number) => Math.round(value * 100) / 100
