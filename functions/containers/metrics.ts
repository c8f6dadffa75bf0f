import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import { getContainerId } from '../core/hosts/container-id.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { ContainerPoint } from '../core/records/metrics.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery, instantOf, since } from '../kit/params.ts'
import { capped } from '../kit/reply.ts'
import { ContainerPath } from './schema.ts'

/**
 * The maximum number of points in a response. With a sample interval below 3.6 s they cover less
 * than an hour.
 */
const pointsMax = 1000

const Point = z
  .object({
    time: Instant.describe('When the sample was taken'),
    cpu_percent: z
      .number()
      .nullable()
      .describe('Null if there was no earlier sample to compare with'),
    memory: z.int().describe('Bytes of memory, without the page cache'),
    memory_percent: z.number().describe('Percentage of the memory limit'),
    network_rx: z.int().describe('Bytes received since the container started'),
    network_tx: z.int().describe('Bytes sent since the container started'),
    block_read: z.int().describe('Bytes read from disks since the container started'),
    block_write: z.int().describe('Bytes written to disks since the container started'),
    pids: z.int().describe('Number of processes and threads'),
  })
  .meta({ id: 'ContainerMetrics' })

export default endpoint({
  summary: 'Show the resource usage of a container in the last hour',
  description:
    'Samples, oldest first, taken every 15 s unless configured otherwise, with the same figures as the stats feed.',
  access: 'containers:read',
  atService: true,
  path: ContainerPath,
  query: HostQuery.extend({ since }),
  returns: z.array(Point).max(pointsMax),
  errors: { 404: 'No container or host has that id' },
  examples: {
    returns: [
      {
        time: '2026-06-01T12:00:00.000Z',
        cpu_percent: 12.5,
        memory: 10_485_760,
        memory_percent: 10,
        network_rx: 1000,
        network_tx: 2000,
        block_read: 4096,
        block_write: 8192,
        pids: 1,
      },
    ],
  },

  async run({ path, query, caller }, ports: Needs<'hosts' | 'engines' | 'metricHistory'>) {
    const host = await targetHost(query.host, caller, ports)
    const from = query.since === undefined ? 0 : instantOf(query.since)
    const known = await known64(host.id, path.id, from, ports)
    const points = known ?? (await namedContainerPoints(host.id, path.id, from, ports))
    return capped(points.map(showPoint), pointsMax, 'last')
  },
})

type Ports = Needs<'engines' | 'metricHistory'>

/** A full id also finds a container that was removed or whose host is unreachable. */
async function known64(hostId: string, id: string, from: number, { metricHistory }: Ports) {
  if (!/^[0-9a-f]{64}$/.test(id)) return undefined
  const points = await metricHistory.ofContainer(hostId, id, from)
  return points.length > 0 ? points : undefined
}

async function namedContainerPoints(hostId: string, named: string, from: number, ports: Ports) {
  const id = await getContainerId(await ports.engines.on(hostId), named)
  return ports.metricHistory.ofContainer(hostId, id, from)
}

const showPoint = (point: ContainerPoint) => ({
  time: instant(point.at),
  cpu_percent: point.cpuPercent,
  memory: point.memory,
  memory_percent: point.memoryPercent,
  network_rx: point.networkRx,
  network_tx: point.networkTx,
  block_read: point.blockRead,
  block_write: point.blockWrite,
  pids: point.pids,
})
