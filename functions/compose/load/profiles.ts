import { serviceOf } from '../lookup.ts'
import type { Service } from '../service.ts'
import { mapOf } from '../yaml/tree.ts'

/**
 * Splits services into enabled and disabled ones. The profile `*` enables all. `isEnabled` decides
 * on other names of profiles.
 */
export function applyProfiles(
  services: Record<string, Service>,
  profiles: readonly string[],
  isEnabled: (profile: string) => boolean = (profile) => profiles.includes(profile),
) {
  const enabled = ({ profiles: own = [] }: Service) =>
    own.length === 0 || profiles.includes('*') || own.some(isEnabled)
  const entries = Object.entries(services)
  return {
    services: mapOf(entries.filter(([, service]) => enabled(service))),
    disabled: mapOf(entries.filter(([, service]) => !enabled(service))),
  }
}

/** Returns the named services and all their dependencies, or all services if `names` is empty. */
export function selectServices(
  services: Record<string, Service>,
  names: readonly string[],
): Record<string, Service> {
  if (names.length === 0) return services
  const selected = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (selected.has(name) || !Object.hasOwn(services, name)) continue
    selected.add(name)
    open.push(...Object.keys(serviceOf({ services }, name).depends_on ?? {}))
  }
  return mapOf(Object.entries(services).filter(([name]) => selected.has(name)))
}
