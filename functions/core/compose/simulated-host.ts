import type {
  ObservedContainer,
  ObservedMount,
  ObservedNetwork,
  Resolved,
  Snapshot,
} from '../engine/engine.ts'
import type { Plan } from './draft.ts'
import { label } from './labels.ts'
import { resolveParents } from './parents.ts'
import type { PlanOptions } from './planning.ts'
import type { Project } from './project.ts'
import type { Service } from './service.ts'
import type { EngineBody, Step } from './step.ts'

/** A container on the simulated host: what is observed of it, and what it was created with. */
export type SimulatedContainer = ObservedContainer & { body: EngineBody }

/** A host for tests of plans. It refuses what an Engine would refuse, so that a wrong order of steps is found. */
export interface SimulatedHost {
  containers: SimulatedContainer[]
  networks: ObservedNetwork[]
  volumes: Map<string, Record<string, string>>
  /** Reference → image id. */
  images: Map<string, string>
  /** Images whose containers end at once, with exit code 0. */
  jobs: Set<string>
  count: number
}

/** An empty host that has some images. */
export function simulatedHost(images: string[], jobs: string[] = []): SimulatedHost {
  return {
    containers: [],
    networks: [],
    volumes: new Map(),
    images: new Map([...images, ...jobs].map((image) => [image, `sha256:${image}`])),
    jobs: new Set(jobs),
    count: 0,
  }
}

/** A project named `shop` in `/srv/shop`; services get an image of their own name and the default network. */
export function projectOf(
  services: Record<string, Partial<Service>>,
  rest: Partial<Project> = {},
): Project {
  const filled = Object.entries(services).map(([name, service]) => [
    name,
    {
      command: null,
      entrypoint: null,
      image: name,
      ...(service.network_mode ? {} : { networks: { default: null } }),
      ...service,
    },
  ])
  return {
    name: 'shop',
    working_dir: '/srv/shop',
    config_files: ['/srv/shop/compose.yaml'],
    services: Object.fromEntries(filled),
    disabled_services: {},
    volumes: {},
    secrets: {},
    configs: {},
    models: {},
    extensions: {},
    ...rest,
    networks: { default: { name: 'shop_default', ipam: {} }, ...rest.networks },
  }
}

/** Options of a deploy that asks for nothing in particular, on an Engine of API 1.41. */
export const plainOptions: PlanOptions = {
  apiVersion: '1.41',
  pull: null,
  forceRecreate: false,
  removeOrphans: false,
  files: [],
  keptVolumes: {},
}

/** A plan's text from an indented literal. */
export function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** What the Engine port would observe of a project. */
export function observe(host: SimulatedHost, project = 'shop'): Snapshot {
  const own = (labels: Record<string, string>) => labels[label.project] === project
  return structuredClone({
    project,
    containers: host.containers.filter(({ labels }) => own(labels)),
    networks: host.networks.filter(({ labels }) => own(labels)),
    volumes: [...host.volumes]
      .filter(([, labels]) => own(labels))
      .map(([name, labels]) => ({ name, labels })),
  })
}

/** Everything there is, by name. */
export function resolveAll(host: SimulatedHost): Resolved {
  return structuredClone({
    networks: Object.fromEntries(host.networks.map((network) => [network.name, network])),
    volumes: Object.fromEntries(
      [...host.volumes].map(([name, labels]) => [name, { name, labels }]),
    ),
    images: Object.fromEntries([...host.images].map(([name, id]) => [name, { id, digests: [] }])),
  })
}

/** Does the steps of a plan one by one. `pick` chooses among those that may go next; `limit` interrupts the plan. */
export function apply(
  host: SimulatedHost,
  plan: Plan,
  pick: (count: number) => number = () => 0,
  limit = plan.steps.length,
): void {
  const done = new Set<number>()
  const ids = new Map<string, string>()
  while (done.size < Math.min(limit, plan.steps.length)) {
    const ready = plan.steps.filter(
      ({ index, after }) => !done.has(index) && after.every((step) => done.has(step)),
    )
    const step = ready[pick(ready.length)]!
    const id = perform(
      host,
      resolveParents(step, (name) => ids.get(name)!),
    )
    if (typeof id === 'string') ids.set(step.name, id)
    done.add(step.index)
  }
}

function perform(host: SimulatedHost, step: Step): string | undefined {
  switch (step.kind) {
    case 'files':
      return
    case 'image':
      host.images.set(step.name, host.images.get(step.name) ?? `sha256:${step.name}`)
      return
    case 'volume':
      if (step.action === 'remove') host.volumes.delete(step.name)
      else host.volumes.set(step.name, step.body.Labels as Record<string, string>)
      return
    case 'network':
      performNetwork(host, step)
      return
    case 'container':
      return performContainer(host, step)
  }
}

function performNetwork(host: SimulatedHost, step: Extract<Step, { kind: 'network' }>): void {
  const found = host.networks.find(({ name }) => name === step.name)
  if (step.action === 'create') {
    demand(!found, `network ${step.name} exists already`)
    const labels = step.body.Labels as Record<string, string>
    host.networks.push({ id: nextId(host), name: step.name, labels, containers: [] })
    return
  }
  demand(found, `no network ${step.name}`)
  if (step.action === 'remove') {
    demand(found.containers.length === 0, `network ${step.name} has active endpoints`)
    host.networks = host.networks.filter((network) => network !== found)
    return
  }
  const container = get(host, step.container)
  if (step.action === 'connect') attach(host, container, step.name)
  else {
    delete container.networks[step.name]
    found.containers = found.containers.filter((id) => id !== container.id)
  }
}

function performContainer(
  host: SimulatedHost,
  step: Extract<Step, { kind: 'container' }>,
): string | undefined {
  if (step.action === 'create' || step.action === 'recreate') return create(host, step)
  const container = get(host, step.name)
  switch (step.action) {
    case 'upload':
      demand(container.state === 'created', `${step.name} was started before its files came`)
      return
    case 'start':
    case 'restart':
      start(host, container)
      return
    case 'wait':
      demand(!step.required || meets(container, step.condition), `${step.name} not ready`)
      return
    case 'stop':
      Object.assign(container, { state: 'exited', exitCode: 137, health: null })
      return
    case 'remove':
      for (const network of host.networks) {
        network.containers = network.containers.filter((id) => id !== container.id)
      }
      host.containers = host.containers.filter((other) => other !== container)
      return
    case 'rename':
      demand(!host.containers.some(({ name }) => name === step.to), `${step.to} is taken`)
      container.name = step.to
      return
    case 'exec':
      demand(container.state === 'running', `${step.name} does not run`)
      return
  }
}

function create(
  host: SimulatedHost,
  step: Extract<Step, { action: 'create' | 'recreate'; kind: 'container' }>,
): string {
  demand(!host.containers.some(({ name }) => name === step.name), `${step.name} is taken`)
  const imageId = host.images.get(step.image)
  demand(imageId !== undefined, `no image ${step.image}`)
  const labels: Record<string, string> = {
    ...(step.body.Labels as Record<string, string>),
    [label.image]: imageId,
  }
  const container: SimulatedContainer = {
    id: nextId(host),
    name: step.name,
    service: labels[label.service]!,
    number: Number(labels[label.number]),
    oneoff: false,
    labels,
    state: 'created',
    health: null,
    exitCode: null,
    image: step.image,
    imageId,
    createdAt: '2026-01-01T00:00:00Z',
    startedAt: null,
    finishedAt: null,
    restarts: 0,
    ports: [],
    networks: {},
    mounts: mounts(host, step.body),
    body: step.body,
  }
  host.containers.push(container)
  const networking = step.body.NetworkingConfig as { EndpointsConfig: object } | undefined
  for (const name of Object.keys(networking?.EndpointsConfig ?? {})) attach(host, container, name)
  parentOf(host, container)
  return container.id
}

function start(host: SimulatedHost, container: SimulatedContainer): void {
  demand(!/^[0-9a-f]{12}_/.test(container.name), `${container.name} has a temporary name`)
  const parent = parentOf(host, container)
  demand(!parent || parent.state === 'running', `${parent?.name} does not run`)
  for (const [name, id] of Object.entries(container.networks)) {
    demand(
      host.networks.some((network) => network.name === name && network.id === id),
      `network ${name} of ${container.name} is gone`,
    )
  }
  const ends = host.jobs.has(container.image)
  const check = container.body.Healthcheck
  Object.assign(container, {
    state: ends ? 'exited' : 'running',
    exitCode: ends ? 0 : null,
    health: check && !ends ? 'healthy' : null,
  })
}

function parentOf(host: SimulatedHost, container: SimulatedContainer) {
  const mode = (container.body.HostConfig as { NetworkMode: string }).NetworkMode
  demand(!mode.startsWith('service:'), `${container.name} joins ${mode}, which is not resolved`)
  if (!mode.startsWith('container:')) return undefined
  const parent = host.containers.find(({ id }) => id === mode.slice('container:'.length))
  demand(parent, `${container.name} joins a container that is not there`)
  return parent
}

function mounts(host: SimulatedHost, body: EngineBody): ObservedMount[] {
  const config = body.HostConfig as {
    Binds?: string[]
    Mounts?: { Type: string; Source?: string; Target: string }[]
  }
  const given = [
    ...(config.Binds ?? []).map((bind) => {
      const [Source, Target] = bind.split(':') as [string, string]
      return { Type: Source.startsWith('/') ? 'bind' : 'volume', Source, Target }
    }),
    ...(config.Mounts ?? []),
  ]
  return given.map(({ Type, Source, Target }) => {
    const name = Type === 'volume' ? (Source ?? nextId(host)) : ''
    if (Type === 'volume' && Source === undefined) host.volumes.set(name, {})
    demand(Type !== 'volume' || host.volumes.has(name), `no volume ${name}`)
    return { type: Type, name, source: Source ?? '', destination: Target }
  })
}

function attach(host: SimulatedHost, container: SimulatedContainer, name: string): void {
  const network = host.networks.find((candidate) => candidate.name === name)
  demand(network, `no network ${name}`)
  container.networks[name] = network.id
  network.containers.push(container.id)
}

function meets(container: ObservedContainer, condition: string): boolean {
  if (condition === 'service_healthy') return container.health === 'healthy'
  if (condition === 'service_started') return container.state !== 'created'
  return container.state === 'exited' && container.exitCode === 0
}

function get(host: SimulatedHost, name: string): SimulatedContainer {
  const container = host.containers.find((candidate) => candidate.name === name)
  demand(container, `no container ${name}`)
  return container
}

function nextId(host: SimulatedHost): string {
  host.count += 1
  return host.count.toString(16).padStart(12, '0').padEnd(64, '0')
}

function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
