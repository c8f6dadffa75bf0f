import { label } from '../create/labels.ts'
import { must } from '../must.ts'
import type { ObservedContainer, ObservedMount } from '../snapshot.ts'
import type { EngineBody, Step } from '../step.ts'
import type { SimulatedContainer, SimulatedHost } from './simulated-state.ts'

/** Performs a step on a container. Returns the ID of a container that it created. */
export function performContainer(
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
      demand(container.state !== 'paused', `${step.name} is paused`)
      start(host, container)
      return
    case 'restart':
      start(host, container)
      return
    case 'pause':
      demand(container.state === 'running', `${step.name} does not run`)
      container.state = 'paused'
      return
    case 'unpause':
      demand(container.state === 'paused', `${step.name} is not paused`)
      container.state = 'running'
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
  demand(step.imageId === undefined || step.imageId === imageId, `${step.image} moved`)
  const labels: Record<string, string> = {
    ...(step.body.Labels as Record<string, string>),
    [label.image]: imageId,
  }
  const container: SimulatedContainer = {
    id: nextId(host),
    name: step.name,
    service: must(labels[label.service], 'service label'),
    number: Number(labels[label.number]),
    oneoff: labels[label.oneoff] === 'True',
    labels,
    state: 'created',
    health: null,
    exitCode: null,
    image: step.image,
    imageId,
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
  const joined = mode.slice('container:'.length)
  const parent = host.containers.find(({ id, name }) => id === joined || name === joined)
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

/** Connects a container to a network. */
export function attach(host: SimulatedHost, container: SimulatedContainer, name: string): void {
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

/** Returns the container with this name. */
export function get(host: SimulatedHost, name: string): SimulatedContainer {
  const container = host.containers.find((candidate) => candidate.name === name)
  demand(container, `no container ${name}`)
  return container
}

/** Returns an unused ID in the Engine's format. */
export function nextId(host: SimulatedHost): string {
  host.count += 1
  return host.count.toString(16).padStart(12, '0').padEnd(64, '0')
}

/** Throws an error if the Engine would refuse the call. */
export function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message)
}
