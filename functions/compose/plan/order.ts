import { unprocessable } from '../errors.ts'
import { compareBytes } from '../hash/hash-fields.ts'
import { partBefore } from '../part-before.ts'
import type { Service } from '../service.ts'

/**
 * Returns the names of the services that a service depends on, sorted: declared dependencies,
 * links, and services whose namespaces or volumes it shares.
 */
export function dependencies(service: Service): string[] {
  const names = new Set(Object.keys(service.depends_on ?? {}))
  for (const name of parentServices(service)) names.add(name)
  for (const link of service.links ?? []) names.add(partBefore(link, ':'))
  return [...names].sort(compareBytes)
}

/**
 * Returns the services whose container ID a container needs because it joins their namespaces or
 * uses their volumes.
 */
export function parentServices(service: Service): string[] {
  const names = namespaceServices(service)
  for (const source of service.volumes_from ?? []) {
    const [name = ''] = source.split(':')
    if (name !== 'container') names.push(name)
  }
  return [...new Set(names)]
}

/**
 * Returns the services whose namespaces a service joins. A container that joined a namespace stays
 * in it when the other one restarts, and is cut off from its network: it has to restart too.
 */
export const namespaceServices = ({ network_mode, ipc, pid }: Service): string[] =>
  [network_mode, ipc, pid].flatMap((mode) =>
    mode?.startsWith('service:') ? [mode.slice('service:'.length)] : [],
  )

/**
 * Returns the names of the services, each after its dependencies, otherwise by name. Dependencies
 * that the project does not have are ignored.
 *
 * @throws 422 that shows the cycle if there is one
 */
export function serviceOrder(services: Record<string, Service>): string[] {
  const edges = new Map(
    Object.entries(services).map(([name, service]) => [name, dependencies(service)]),
  )
  return topological(edges, (cycle) => {
    throw unprocessable(`services: dependency cycle detected: ${cycle.join(' -> ')}`)
  })
}

/**
 * Sorts the keys of a graph topologically, each after the keys it points to. Calls `onCycle` for a
 * cycle; if it returns, the edge is ignored.
 */
export function topological(
  edges: ReadonlyMap<string, readonly string[]>,
  onCycle: (cycle: string[]) => void,
): string[] {
  const done = new Set<string>()
  const path: string[] = []
  function visit(name: string): void {
    if (done.has(name)) return
    const seen = path.indexOf(name)
    if (seen >= 0) {
      onCycle([...path.slice(seen), name])
      return
    }
    path.push(name)
    for (const next of edges.get(name) ?? []) if (edges.has(next)) visit(next)
    path.pop()
    done.add(name)
  }
  for (const name of [...edges.keys()].sort(compareBytes)) visit(name)
  return [...done]
}
