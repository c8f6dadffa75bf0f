import type { Step } from '../step.ts'
import { attach, demand, get, nextId, performContainer } from './simulated-containers.ts'
import type { SimulatedHost } from './simulated-state.ts'

/**
 * Performs a step on a simulated host. Returns the ID of a container that it created. Throws where
 * an Engine would refuse.
 */
export function perform(host: SimulatedHost, step: Step): string | undefined {
  switch (step.kind) {
    case 'files':
      return
    case 'image':
      if (step.action === 'remove') {
        host.images.delete(step.name)
        return
      }
      if (step.action === 'tag') host.images.set(step.name, step.source)
      else host.images.set(step.name, host.images.get(step.name) ?? `sha256:${step.name}`)
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
