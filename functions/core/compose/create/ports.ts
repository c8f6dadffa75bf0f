import type { Service } from '../service.ts'
import type { EngineBody } from '../step.ts'

/** Every port that a container declares: those it publishes and those it exposes, ranges written out. */
export function exposedPorts(service: Service): Record<string, EngineBody> | undefined {
  const ports: Record<string, EngineBody> = {}
  for (const port of service.ports ?? []) ports[`${port.target}/${port.protocol ?? 'tcp'}`] = {}
  for (const entry of service.expose ?? []) {
    const [range, protocol = 'tcp'] = entry.split('/')
    const [first, last = first] = range!.split('-').map(Number)
    for (let port = first!; port <= last!; port++) ports[`${port}/${protocol}`] = {}
  }
  return Object.keys(ports).length > 0 ? ports : undefined
}

/** Published ports by container port. An empty host port lets the Engine pick one. */
export function portBindings(service: Service): Record<string, EngineBody[]> {
  const bindings: Record<string, EngineBody[]> = {}
  for (const port of service.ports ?? []) {
    const key = `${port.target}/${port.protocol ?? 'tcp'}`
    bindings[key] ??= []
    bindings[key].push({ HostIp: port.host_ip ?? '', HostPort: port.published ?? '' })
  }
  return bindings
}

/** True when the Engine picks host ports from a range, which it does not do safely for several containers at once. */
export function picksFromRange(service: Service): boolean {
  return service.ports?.some((port) => port.published?.includes('-')) ?? false
}
