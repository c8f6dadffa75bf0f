import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import { getHost } from '../core/hosts/target.ts'
import { percentOf } from '../core/metrics/figures.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { HostPoint } from '../core/records/metrics.ts'
import { endpoint } from '../kit/endpoint.ts'
import { instantOf, since } from '../kit/params.ts'
import { capped } from '../kit/reply.ts'
import { HostPath } from './schema.ts'

const pointsMax = 1000

const Bytes = z.int().nullable()
const Percent = z.number().nullable()

const Point = z
  .object({
    time: Instant.describe('When the sample was taken'),
    online: z
      .boolean()
      .describe('Whether the Engine answered. Other values are 0 or `null` if it did not'),
    cpu_percent: Percent.describe('Percentage of all processors together'),
    memory: Bytes.describe('Used memory in bytes; `null` if it is not known'),
    memory_total: Bytes.describe('Memory of the machine in bytes; `null` if it is not known'),
    memory_percent: Percent.describe('Used memory as a percentage; `null` if it is not known'),
    disk: Bytes.describe(
      'The file system with the Docker data; `null` if it is not known, such as in a container, which does not see it',
    ),
    disk_total: Bytes.describe('Size of that file system in bytes; `null` if it is not known'),
    disk_percent: Percent.describe('Used space as a percentage; `null` if it is not known'),
    containers: z
      .object({
        running: z.int().describe('Containers that run'),
        total: z.int().describe('All containers'),
      })
      .describe('Number of containers'),
  })
  .meta({ id: 'HostMetrics', description: 'Unknown values are null' })

export default endpoint({
  summary: 'Show the resource usage of a host in the last hour',
  description:
    'Samples, oldest first. The Engine does not report the usage of its machine: on a remote host the agent does, on the local host the service, if it runs on the same machine as the Engine.',
  access: 'hosts:read',
  path: HostPath,
  query: z.object({ since }),
  returns: z.array(Point).max(pointsMax),
  errors: { 404: 'No host has that id' },
  examples: {
    returns: [
      {
        time: '2026-06-01T12:00:00.000Z',
        online: true,
        cpu_percent: 12.5,
        memory: 4_294_967_296,
        memory_total: 8_589_934_592,
        memory_percent: 50,
        disk: 21_474_836_480,
        disk_total: 85_899_345_920,
        disk_percent: 25,
        containers: { running: 3, total: 4 },
      },
    ],
  },

  async run({ path, query }, ports: Needs<'hosts' | 'metricHistory'>) {
    const host = await getHost(path.id, ports)
    const from = query.since === undefined ? 0 : instantOf(query.since)
    const points = await ports.metricHistory.ofHost(host.id, from)
    return capped(points.map(showPoint), pointsMax, 'last')
  },
})

const showPoint = (point: HostPoint) => ({
  time: instant(point.at),
  online: point.up,
  cpu_percent: point.cpuPercent,
  memory: point.memory,
  memory_total: point.memoryTotal,
  memory_percent: percentOf(point.memory, point.memoryTotal),
  disk: point.disk,
  disk_total: point.diskTotal,
  disk_percent: percentOf(point.disk, point.diskTotal),
  containers: { running: point.running, total: point.total },
})
