import type { Service } from '../service.ts'
import type { EngineBody } from '../step.ts'

/** Returns all ports that a container declares, published and exposed, with ranges expanded. */
export function exposedPorts(service: Service): Record<string, EngineBody> | undefined {
  const ports: Record<string, EngineBody> = {}
  for (const port of service.ports ?? []) ports[`${port.target}/${port.protocol ?? 'tcp'}`] = {}
  for (const entry of service.expose ?? []) {
    const [range = '', protocol = 'tcp'] = entry.split('/')
    const [first = 0, last = first] = range.split('-').map(Number)
    for (let port = first; port <= last; port++) ports[`${port}/${protocol}`] = {}
  }
  return Object.keys(ports).length > 0 ? ports : undefined
}

/** Returns the published ports by container port. With an empty host port the Engine picks one. */
export function portBindings(service: Service): Record<string, EngineBody[]> {
  const bindings: Record<string, EngineBody[]> = {}
  for (const port of service.ports ?? []) {
    const key = `${port.target}/${port.protocol ?? 'tcp'}`
    bindings[key] ??= []
    bindings[key].push({ HostIp: port.host_ip ?? '', HostPort: port.published ?? '' })
  }
  return bindings
}

/**
 * Returns whether the Engine picks host ports from a range. It cannot do that safely for several
 * containers at once.
 */
export function picksFromRange(service: Service): boolean {
  return service.ports?.some((port) => port.published?.includes('-')) ?? false
}
