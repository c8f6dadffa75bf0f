import { compareBytes } from '../hash/hash-fields.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { EngineBody } from '../step.ts'
import { containerName } from './labels.ts'

/** Keys of the networks a service is in, the one with the highest priority first, equals in order of name. */
export function networkKeys(service: Service): string[] {
  const networks = service.networks ?? {}
  const priority = (key: string) => networks[key]?.priority ?? 0
  return Object.keys(networks).sort(
    (left, right) => priority(right) - priority(left) || compareBytes(left, right),
  )
}

/** A container's place in a network of the project: what `create` and `connect` are given. */
export function endpoint(
  project: Project,
  key: string,
  container: { service: string; number: number },
): EngineBody {
  const service = project.services[container.service]!
  const config = service.networks?.[key]
  const options = { ...config?.driver_opts }
  if (config?.interface_name) options['com.docker.network.endpoint.ifname'] = config.interface_name
  return {
    Aliases: [
      ...new Set([
        containerName(project, container.service, container.number),
        container.service,
        ...(config?.aliases ?? []),
      ]),
    ],
    Links: links(project, service),
    IPAMConfig: config ? addresses(config) : undefined,
    MacAddress: config?.mac_address,
    DriverOpts: Object.keys(options).length > 0 ? options : undefined,
    GwPriority: config?.gw_priority,
  }
}

/** Legacy links as the Engine takes them: `container:alias`. */
export function links(project: Project, service: Service): string[] | undefined {
  const found: string[] = []
  for (const link of service.links ?? []) {
    const [target, alias] = link.split(':')
    if (!project.services[target!]) continue
    const name = containerName(project, target!, 1)
    found.push(`${name}:${alias ?? target}`, `${name}:${target}-1`, `${name}:${name}`)
  }
  for (const link of service.external_links ?? []) {
    const [name, alias] = link.split(':')
    found.push(`${name}:${alias ?? name}`)
  }
  return found.length > 0 ? found : undefined
}

type Addresses = NonNullable<NonNullable<Service['networks']>[string]>

/** Empty for a network that is given options but no address, as docker compose has it. */
function addresses(config: Addresses): EngineBody {
  return {
    IPv4Address: config.ipv4_address,
    IPv6Address: config.ipv6_address,
    LinkLocalIPs: config.link_local_ips,
  }
}
