import { z } from 'zod'
import { Instant, instant } from '../core/access/fields.ts'
import type { HostFields } from '../core/hosts/host-fields.ts'
import { targetHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Host } from '../core/records/host.ts'
import { endpoint } from '../kit/endpoint.ts'
import { cappedOverHosts, unreachable_hosts } from '../kit/host-list.ts'
import { HostsQuery } from '../kit/params.ts'

/** The maximum number of containers in a response. */
const cap = 1000

const Usage = z
  .object({
    container_id: z.string().describe('First 16 digits of the id of the container'),
    time: Instant.describe('When the sample was taken'),
    cpu_percent: z.number().nullable().meta({
      description:
        'Percentage of one processor, as in `docker stats`; null if there was no earlier sample to compare with',
    }),
    memory: z.int().describe('Bytes of memory, without the page cache'),
    memory_percent: z.number().describe('Percentage of the memory limit'),
    host_id: z.string().describe('Id of its host'),
    host_name: z.string().describe('Name of its host'),
  })
  .meta({
    id: 'ContainerUsage',
    examples: [
      {
        container_id: '4f6d1b0c9a2e4f6d',
        time: '2026-06-01T12:00:00.000Z',
        cpu_percent: 12.5,
        memory: 10_485_760,
        memory_percent: 10,
        host_id: 'local',
        host_name: 'local',
      },
    ],
  })

const items = z.array(Usage).max(cap)

export default endpoint({
  summary: 'List what containers use',
  description:
    'Lists processor time and memory of the running containers of one host or of all hosts, in their newest samples. They are taken every 15 s unless configured otherwise.',
  access: 'containers:read',
  query: HostsQuery,
  returns: z.union([
    items,
    z.object({ items: items.describe('What the other hosts have'), unreachable_hosts }),
  ]),
  errors: { 404: 'No host has that id or name' },

  async run({ query, caller }, ports: Needs<'hosts' | 'metricHistory'>) {
    if (query.host !== 'all') {
      const { usage } = await newestOf(await targetHost(query.host, caller, ports), ports)
      return cappedOverHosts(usage, cap)
    }
    // `ports.hosts` lists only the hosts in the caller's scope.
    const hosts = await ports.hosts.list()
    const newest = await Promise.all(hosts.map((host) => newestOf(host, ports)))
    const all = {
      items: newest.flatMap(({ usage }) => usage),
      unreachable_hosts: newest.flatMap(({ host, isUp }) =>
        isUp ? [] : [{ host_id: host.id, host_name: host.name, error: 'has no recent sample' }],
      ),
    }
    return cappedOverHosts(all, cap)
  },
})

async function newestOf(host: Host, { metricHistory }: Needs<'metricHistory'>) {
  const sample = await metricHistory.latest(host.id)
  const place: HostFields = { host_id: host.id, host_name: host.name }
  const usage = (sample?.containers ?? []).map(({ id, point }) => ({
    container_id: id,
    time: instant(sample?.host.at ?? 0),
    cpu_percent: point.cpuPercent,
    memory: point.memory,
    memory_percent: point.memoryPercent,
    ...place,
  }))
  return { host, isUp: sample?.host.up ?? false, usage }
}
