import type { Alert } from '../core/alerts/firing.ts'
import { sampledId } from '../core/metrics/history.ts'
import type { MetricFamily } from '../core/metrics/prometheus.ts'
import type { ProcessFigures } from '../core/ports/own-process.ts'
import type { DiskUse } from '../core/ports/self-check.ts'
import type { ContainerSummary } from '../core/records/container.ts'
import type { Host } from '../core/records/host.ts'
import type { HostPoint, HostSample } from '../core/records/metrics.ts'
import type { StackRecord } from '../core/records/stack.ts'
import { lastEndedRun, type StackJob } from '../core/records/stack-job.ts'
import { isJobOf } from '../core/stacks/stack-jobs.ts'
import type { ServiceUpdate } from '../core/updates/list-updates.ts'
import { type StackUpdates, updatesByStack } from '../core/updates/stack-updates.ts'

/** A host with its latest sample. */
export interface SampledHost {
  host: Host
  sample: HostSample | undefined
}

/** Returns the metrics of the hosts. A host that was never sampled has no values. */
export function hostFamilies(samples: readonly SampledHost[]): MetricFamily[] {
  const gauge = (name: string, help: string, value: (point: HostPoint) => number | null) => ({
    name: `host_${name}`,
    type: 'gauge' as const,
    help,
    values: samples.map(({ host, sample }) => ({
      labels: { host: host.name, host_id: host.id },
      value: sample ? value(sample.host) : null,
    })),
  })
  return [
    gauge('up', 'Whether the host responded to the last sample', ({ up }) => Number(up)),
    gauge('sampled_seconds', 'When the host was last sampled', ({ at }) => at / 1000),
    gauge('cpu_percent', 'Used share of all processors', (point) => point.cpuPercent),
    gauge('memory_bytes', 'Memory used', ({ memory }) => memory),
    gauge('memory_total_bytes', 'Memory of the machine', ({ memoryTotal }) => memoryTotal),
    gauge('disk_bytes', 'Used bytes of the file system with the Docker data', ({ disk }) => disk),
    gauge('disk_total_bytes', 'Size of that file system', ({ diskTotal }) => diskTotal),
  ]
}

/** Returns the metrics of all current containers. Usage is from their latest sample. */
export function containerFamilies(
  lists: readonly { host: Host; container: ContainerSummary }[],
  samples: readonly SampledHost[],
): MetricFamily[] {
  const points = new Map(
    samples.flatMap(({ host, sample }) =>
      (sample?.containers ?? []).map(({ id, point }) => [`${host.id} ${id}`, point] as const),
    ),
  )
  type Point = HostSample['containers'][number]['point']
  const all = lists.map(({ host, container }) => {
    const { id, name, stack, service } = container
    const labels = { host: host.name, container: name, stack, service }
    return { labels, container, point: points.get(`${host.id} ${sampledId(id)}`) }
  })
  const used = (
    name: string,
    type: MetricFamily['type'],
    help: string,
    value: (point: Point) => number | null,
  ): MetricFamily => ({
    name: `container_${name}`,
    type,
    help,
    values: all.map(({ labels, point }) => ({ labels, value: point ? value(point) : null })),
  })
  return [
    {
      name: 'container_state',
      type: 'gauge',
      help: 'Containers by state',
      values: all.map(({ labels, container: { state, health, image } }) => ({
        labels: { ...labels, image, state, health },
        value: 1,
      })),
    },
    used('cpu_percent', 'gauge', 'Processor usage as in docker stats', (point) => point.cpuPercent),
    used('memory_bytes', 'gauge', 'Memory used, without page cache', ({ memory }) => memory),
    used(
      'memory_percent',
      'gauge',
      'Memory used, as a share of its limit',
      (point) => point.memoryPercent,
    ),
    used('network_receive_bytes_total', 'counter', 'Received', (point) => point.networkRx),
    used('network_transmit_bytes_total', 'counter', 'Sent', (point) => point.networkTx),
    used('block_read_bytes_total', 'counter', 'Read from disks', (point) => point.blockRead),
    used('block_write_bytes_total', 'counter', 'Written to disks', (point) => point.blockWrite),
    used('pids', 'gauge', 'Processes and threads', ({ pids }) => pids),
  ]
}

/** Returns the metrics of the managed stacks and of alerts. */
export function stackFamilies(
  stacks: readonly StackRecord[],
  alerts: readonly Alert[],
): MetricFamily[] {
  return [
    {
      name: 'stack_deployed',
      type: 'gauge',
      help: 'Whether the stack is meant to be up',
      values: stacks.map(({ id, hostId, deployed }) => ({
        labels: { stack: id, host_id: hostId },
        value: Number(deployed),
      })),
    },
    {
      name: 'stack_last_failed',
      type: 'gauge',
      help: 'Whether the last deploy, stop or restart of the stack failed',
      values: stacks.map(({ id, hostId, last }) => ({
        labels: { stack: id, host_id: hostId },
        value: last && last.status !== 'running' ? Number(last.status !== 'succeeded') : null,
      })),
    },
    {
      name: 'alert',
      type: 'gauge',
      help: 'Firing and pending alerts',
      values: alerts.map(({ rule, subject, state }) => ({
        labels: {
          rule: rule.name,
          metric: rule.metric,
          severity: rule.severity,
          state,
          kind: subject.kind,
          subject: subject.name,
          host: subject.hostName,
        },
        value: 1,
      })),
    },
  ]
}

/** Returns the metrics of the jobs of the given stacks. */
export function jobFamilies(
  stacks: readonly StackRecord[],
  jobs: readonly StackJob[],
): MetricFamily[] {
  const byName = new Map(stacks.map((stack) => [stack.id, stack]))
  const gauge = (name: string, help: string, value: (job: StackJob) => number | null) => ({
    name: `job_${name}`,
    type: 'gauge' as const,
    help,
    values: jobs.flatMap((job) => {
      const stack = byName.get(job.stack)
      if (!stack || !isJobOf(stack, job)) return []
      const labels = { stack: stack.id, job: job.name, host_id: stack.hostId }
      return [{ labels, value: value(job) }]
    }),
  })
  const seconds = (at: number | null | undefined) => (at ? at / 1000 : null)
  return [
    gauge('last_failed', 'Whether the last run of the job that ended failed', (job) => {
      const last = lastEndedRun(job)
      return last ? Number(last.status !== 'succeeded') : null
    }),
    gauge('last_end_timestamp_seconds', 'When that run ended', (job) =>
      seconds(lastEndedRun(job)?.finishedAt),
    ),
    gauge('next_run_timestamp_seconds', 'When the job runs next', (job) => seconds(job.nextRunAt)),
    gauge('blocked', 'Whether the account of the job may not run it', ({ actsAs }) =>
      Number(actsAs.blocked !== null),
    ),
  ]
}

/** Returns the metrics of newer images for services of stacks. */
export function updateFamilies(updates: readonly ServiceUpdate[]): MetricFamily[] {
  const stacks = updatesByStack(updates)
  const services = (
    name: string,
    help: string,
    of: (one: StackUpdates) => readonly unknown[] | null,
  ) => ({
    name,
    type: 'gauge' as const,
    help,
    values: stacks.map((one) => ({
      labels: { host: one.hostName, stack: one.stack },
      value: of(one)?.length ?? null,
    })),
  })
  const checked = updates.flatMap(({ checkedAt }) => checkedAt ?? [])
  return [
    services('updates_available', 'Services with a newer image', ({ newer }) => newer),
    services(
      'update_checks_failing',
      'Services whose last look for a newer image failed',
      ({ failing }) => failing,
    ),
    {
      name: 'updates_checked_timestamp_seconds',
      type: 'gauge',
      help: 'When a registry last said what a tag has',
      values: [{ value: checked.length > 0 ? Math.max(...checked) / 1000 : null }],
    },
  ]
}

/** Returns the metrics of the disk that holds the service's data directory. */
export function diskFamilies(use: DiskUse | undefined): MetricFamily[] {
  const gauge = (name: string, help: string, value: number | null) => ({
    name: `service_disk_${name}`,
    type: 'gauge' as const,
    help,
    values: [{ value }],
  })
  return [
    gauge(
      'free_bytes',
      'Free bytes of the file system with the data directory',
      use ? use.total - use.used : null,
    ),
    gauge('total_bytes', 'Size of that file system', use?.total ?? null),
  ]
}

/** Returns the metrics of the process that responds. */
export function processFamilies(figures: ProcessFigures): MetricFamily[] {
  const requests = (
    name: string,
    help: string,
    value: (one: ProcessFigures['requests'][number]) => number,
  ): MetricFamily => ({
    name: `http_${name}`,
    type: 'counter',
    help,
    values: figures.requests.map((one) => ({
      labels: { method: one.method, route: one.route, status: one.status },
      value: value(one),
    })),
  })
  const own = (name: string, type: MetricFamily['type'], help: string, value: number) => ({
    name: `process_${name}`,
    type,
    help,
    values: [{ value }],
  })
  return [
    requests('requests_total', 'Requests answered by this process', ({ count }) => count),
    requests('request_seconds_total', 'Total time of the requests', ({ seconds }) => seconds),
    {
      name: 'unhandled_errors_total',
      type: 'counter',
      help: 'Unhandled errors; each one is a bug of the service',
      values: figures.unhandledErrors.map(({ kind, count }) => ({
        labels: { kind },
        value: count,
      })),
    },
    {
      name: 'ignored_errors_total',
      type: 'counter',
      help: 'Errors of work whose failure changes nothing for callers; the log has them at debug',
      values: figures.ignoredErrors.map(({ work, count }) => ({ labels: { work }, value: count })),
    },
    own('resident_memory_bytes', 'gauge', 'Memory of this process', figures.residentBytes),
    own(
      'heap_bytes',
      'gauge',
      'Memory of this process in use by JavaScript objects',
      figures.heapBytes,
    ),
    own('cpu_seconds_total', 'counter', 'Processor time used by this process', figures.cpuSeconds),
    own('start_time_seconds', 'gauge', 'When this process started', figures.startedAt),
  ]
}
