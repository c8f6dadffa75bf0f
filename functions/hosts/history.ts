import { z } from 'zod'
import { getHost } from '../core/hosts/target.ts'
import { readUsage } from '../core/metrics/read-usage.ts'
import { hostKey } from '../core/metrics/usage-key.ts'
import { seriesMax } from '../core/metrics/usage-points.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  hostPointFields,
  pointFields,
  pointsMax,
  recordFields,
  showHostPoint,
  showRecord,
  UsageQuery,
} from '../kit/usage-history.ts'
import { HostPath } from './schema.ts'

const Point = z.object({ ...pointFields, ...hostPointFields }).meta({ id: 'HostHistoryPoint' })

const History = z
  .object({
    ...recordFields,
    points: z.array(Point).max(pointsMax).describe('Oldest first. Times without samples have none'),
    left_out: z
      .array(z.string())
      .max(seriesMax)
      .describe(
        'Names of containers without a history, because the host has more than 100 at a time; empty without the permission containers:read',
      ),
  })
  .meta({ id: 'HostHistory' })

export default endpoint({
  summary: 'Show the resource usage of a host over days',
  description:
    'Mean and largest value of each minute, ten minutes or hour. The Engine knows no network of its machine and not what it reads and writes, so these are sums over the containers.',
  access: 'hosts:read',
  path: HostPath,
  query: UsageQuery,
  returns: History,
  errors: { 404: 'No host has that id' },
  examples: {
    returns: {
      from: '2026-05-31T12:00:00.000Z',
      to: '2026-06-01T12:00:00.000Z',
      step_seconds: 600,
      recording: true,
      points: [
        {
          time: '2026-06-01T11:50:00.000Z',
          cpu_percent: { mean: 12.5, max: 80 },
          memory: { mean: 4_294_967_296, max: 4_831_838_208 },
          network_rx: { mean: 1200, max: 56_000 },
          network_tx: { mean: 800, max: 12_000 },
          block_read: { mean: 0, max: 4096 },
          block_write: { mean: 8192, max: 65_536 },
          memory_total: 8_589_934_592,
          disk: { mean: 21_474_836_480, max: 21_474_836_480 },
          disk_total: 85_899_345_920,
        },
      ],
      left_out: [],
    },
  },

  async run(
    { path, query, caller },
    ports: Needs<'hosts' | 'usageHistory' | 'settings' | 'clock'>,
  ) {
    const host = await getHost(path.id, ports)
    const record = await readUsage(host.id, query.range, ports)
    const own = record.series.find(({ key }) => key === hostKey)
    return {
      ...showRecord(record),
      points: (own?.points ?? []).map(showHostPoint),
      left_out: caller.permissions.has('containers:read') ? record.leftOut : [],
    }
  },
})
