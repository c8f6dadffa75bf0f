import { currentAlerts } from '../core/alerts/firing.ts'
import { listOverHosts } from '../core/hosts/fan-out.ts'
import { prometheusText, prometheusType } from '../core/metrics/prometheus.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { listUpdates, type UpdatePorts } from '../core/updates/list-updates.ts'
import { endpoint } from '../kit/endpoint.ts'
import { TextReply } from '../kit/reply.ts'
import {
  containerFamilies,
  diskFamilies,
  hostFamilies,
  jobFamilies,
  processFamilies,
  stackFamilies,
  updateFamilies,
} from './families.ts'

type Ports = UpdatePorts &
  Needs<'metricHistory' | 'alertRules' | 'alertStates' | 'ownProcess' | 'selfCheck' | 'stackJobs'>

export default endpoint({
  summary: 'Get metrics for Prometheus',
  description:
    'Returns the last samples of the hosts, containers and stacks in your scope, the jobs of the stacks, the newer images that registries have for them, the alerts, the disk of the service, and the requests and memory of the process that responds.',
  access: 'metrics:read',
  atService: true,
  produces: prometheusType,

  async run({ caller }, ports: Ports) {
    const [hosts, stacks, jobs, alerts, lists, updates, disk] = await Promise.all([
      ports.hosts.list(),
      ports.stacks.list(),
      ports.stackJobs.list(),
      currentAlerts(ports),
      containersOf(caller, ports),
      updatesOf(caller, ports),
      ports.selfCheck.disk(),
    ])
    const samples = await Promise.all(
      hosts.map(async (host) => ({ host, sample: await ports.metricHistory.latest(host.id) })),
    )
    const families = [
      ...hostFamilies(samples),
      ...containerFamilies(lists, samples),
      ...stackFamilies(stacks, alerts),
      ...jobFamilies(stacks, jobs),
      ...updateFamilies(updates),
      ...diskFamilies(disk),
      ...processFamilies(ports.ownProcess.figures()),
    ]
    return new TextReply(prometheusText('container_stacks_', families), prometheusType)
  },
})

/** Returns the containers of every reachable host. */
async function containersOf(caller: Caller, ports: Ports) {
  const found = await listOverHosts('all', caller, ports, async (engine, host) =>
    (await engine.containers({ all: true })).map((container) => ({ host, container })),
  )
  return 'items' in found ? found.items : found
}

/** Returns the services of stacks on every reachable host. */
async function updatesOf(caller: Caller, ports: Ports) {
  const found = await listUpdates({ host: 'all' }, caller, ports)
  return 'items' in found ? found.items : found
}
