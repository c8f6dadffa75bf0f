import { compareBytes } from '../hash/hash-fields.ts'
import { ownEntry, serviceOf } from '../lookup.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { EngineBody } from '../step.ts'
import { scaleOf } from '../used-resources.ts'
import { containerName } from './labels.ts'

/** Returns the keys of a service's networks, highest priority first, then by name. */
export function networkKeys(service: Service): string[] {
  const networks = service.networks ?? {}
  const priority = (key: string) => ownEntry(networks, key)?.priority ?? 0
  return Object.keys(networks).sort(
    (left, right) => priority(right) - priority(left) || compareBytes(left, right),
  )
}

/** Returns the endpoint settings of a container in a network, for `create` and `connect`. */
export function endpoint(
  project: Project,
  key: string,
  container: { service: string; number: number },
): EngineBody {
  const service = serviceOf(project, container.service)
  const config = ownEntry(service.networks, key)
  const options = { ...config?.driver_opts }
  if (config?.interface_name) options['com.docker.network.endpoint.ifname'] = config.interface_name
  return {
    Aliases: [
      containerName(project, container.service, container.number),
      container.service,
      ...(config?.aliases ?? []),
    ],
    Links: links(project, container),
    IPAMConfig: config ? addresses(config) : undefined,
    MacAddress: config?.mac_address,
    DriverOpts: Object.keys(options).length > 0 ? options : undefined,
    GwPriority: config?.gw_priority,
  }
}

/**
 * Returns legacy links in the Engine's format, `container:alias`. As in docker compose, each
 * container of a linked service gets three aliases: the alias of the link, and the service name,
 * without and with the project name, followed by the number of the linking container.
 */
export function links(
  project: Project,
  container: { service: string; number: number },
): string[] | undefined {
  const service = serviceOf(project, container.service)
  const found: string[] = []
  for (const link of service.links ?? []) {
    const [target = '', alias = target] = link.split(':')
    const linked = ownEntry(project.services, target)
    const numbers = linked ? Array.from({ length: scaleOf(linked) }, (_, index) => index + 1) : []
    for (const number of numbers) {
      const names = [alias, `${target}-${container.number}`]
      const full = `${project.name}-${target}-${container.number}`
      const name = containerName(project, target, number)
      found.push(...[...names, full].map((one) => `${name}:${one}`))
    }
  }
  for (const link of service.external_links ?? []) {
    const [name, alias] = link.split(':')
    found.push(`${name}:${alias ?? name}`)
  }
  return found.length > 0 ? found : undefined
}

type Addresses = NonNullable<NonNullable<Service['networks']>[string]>

/** Empty if a network has options but no address, as in docker compose. */
function addresses(config: Addresses): EngineBody {
  return {
    IPv4Address: config.ipv4_address,
    IPv6Address: config.ipv6_address,
    LinkLocalIPs: config.link_local_ips,
  }
}
