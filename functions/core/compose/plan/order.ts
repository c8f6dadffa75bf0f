import { unprocessable } from '../../errors.ts'
import { compareBytes } from '../hash/hash-fields.ts'
import type { Service } from '../service.ts'

/** What a service waits for, in order of name, whether it says so itself or shares a part of another service. */
export function dependencies(service: Service): string[] {
  const names = new Set(Object.keys(service.depends_on ?? {}))
  for (const name of parentServices(service)) names.add(name)
  for (const link of service.links ?? []) names.add(link.split(':')[0]!)
  return [...names].sort(compareBytes)
}

/** Services of which a container needs the id: it joins their namespaces or takes their volumes. */
export function parentServices(service: Service): string[] {
  const names: string[] = []
  for (const mode of [service.network_mode, service.ipc, service.pid]) {
    if (mode?.startsWith('service:')) names.push(mode.slice('service:'.length))
  }
  for (const source of service.volumes_from ?? []) {
    const [name] = source.split(':')
    if (name !== 'container') names.push(name!)
  }
  return [...new Set(names)]
}

/**
 * Names of the services, each after all that it depends on; equals in order of name. Dependencies that the project does
 * not have are passed over. Throws a `Failure` 422 that shows the cycle when there is one.
 */
export function serviceOrder(services: Record<string, Service>): string[] {
  const edges = new Map(
    Object.entries(services).map(([name, service]) => [name, dependencies(service)]),
  )
  return topological(edges, (cycle) => {
    throw unprocessable(`services: dependency cycle detected: ${cycle.join(' -> ')}`)
  })
}

/** The keys of a graph, each after what it points to. `onCycle` is told a cycle; when it returns, the edge is ignored. */
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
