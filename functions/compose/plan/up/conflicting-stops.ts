import { networkOf, serviceOf } from '../../lookup.ts'
import type { Service } from '../../service.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import type { Planning } from './planning-state.ts'

/**
 * Returns the steps that stop containers of other services in the way of a service: they hold host
 * ports that it needs, or are in a network where it needs a fixed address. Its containers cannot
 * start before these steps.
 */
export function conflictingStops({ project, snapshot, stops }: Planning, name: string): number[] {
  const service = serviceOf(project, name)
  const networks = addressedNetworks(service).map((key) => networkOf(project, key).name)
  const steps: number[] = []
  for (const container of snapshot.containers) {
    const stop = stops.get(container.id)
    if (stop === undefined || container.service === name) continue
    const inTheWay =
      hasPortOf(container, service) ||
      networks.some((network) => Object.hasOwn(container.networks, network))
    if (inTheWay) steps.push(stop)
  }
  return steps
}

function addressedNetworks({ networks }: Service): string[] {
  return Object.entries(networks ?? {})
    .filter(([, place]) => place?.ipv4_address || place?.ipv6_address)
    .map(([key]) => key)
}

/**
 * Host addresses are not compared because a port on all addresses conflicts with the same port on
 * one address.
 */
function hasPortOf({ ports }: ObservedContainer, service: Service): boolean {
  return (service.ports ?? []).some(({ published, protocol = 'tcp' }) => {
    if (!published) return false
    const [first = 0, last = first] = published.split('-').map(Number)
    return ports.some(
      (port) => port.public !== null && port.protocol === protocol && isBetween(port.public),
    )
    function isBetween(port: number) {
      return port >= first && port <= last
    }
  })
}
