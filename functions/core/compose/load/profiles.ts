import type { Service } from '../service.ts'
import { mapOf } from '../yaml/tree.ts'

/** Parts services into those that run and those that their profiles leave out. `*` stands for every profile. */
export function applyProfiles(services: Record<string, Service>, profiles: readonly string[]) {
  const enabled = (service: Service) =>
    (service.profiles ?? []).length === 0 ||
    profiles.includes('*') ||
    service.profiles!.some((profile) => profiles.includes(profile))
  const entries = Object.entries(services)
  return {
    services: mapOf(entries.filter(([, service]) => enabled(service))),
    disabled: mapOf(entries.filter(([, service]) => !enabled(service))),
  }
}

/** The services of these names and all that they depend on; all services when no name is given. */
export function selectServices(
  services: Record<string, Service>,
  names: readonly string[],
): Record<string, Service> {
  if (names.length === 0) return services
  const selected = new Set<string>()
  const open = [...names]
  while (open.length > 0) {
    const name = open.pop()!
    if (selected.has(name) || !Object.hasOwn(services, name)) continue
    selected.add(name)
    open.push(...Object.keys(services[name]!.depends_on ?? {}))
  }
  return mapOf(Object.entries(services).filter(([name]) => selected.has(name)))
}
