import { networkHash } from '../hash/hash.ts'
import { networkOf } from '../lookup.ts'
import type { NetworkConfig, Project } from '../project.ts'
import type { EngineBody } from '../step.ts'
import { composeVersion, label } from './labels.ts'

/**
 * Returns the body that creates a network. `CheckDuplicate` makes old Engines refuse a second
 * network with the same name.
 */
export function networkBody(project: Project, key: string): EngineBody {
  const network = networkOf(project, key)
  return {
    Name: network.name,
    CheckDuplicate: true,
    Driver: network.driver,
    Options: network.driver_opts,
    Internal: network.internal,
    Attachable: network.attachable,
    EnableIPv4: network.enable_ipv4,
    EnableIPv6: network.enable_ipv6,
    IPAM: addressing(network),
    Labels: {
      ...network.labels,
      [label.project]: project.name,
      [label.network]: key,
      [label.version]: composeVersion,
      [label.configHash]: networkHash(network),
    },
  }
}

function addressing({ ipam }: NetworkConfig): EngineBody | undefined {
  if (!ipam.driver && !ipam.config?.length && !ipam.options) return undefined
  return {
    Driver: ipam.driver ?? 'default',
    Options: ipam.options,
    Config: ipam.config?.map((pool) => ({
      Subnet: pool.subnet,
      IPRange: pool.ip_range,
      Gateway: pool.gateway,
      AuxiliaryAddresses: pool.aux_addresses,
    })),
  }
}
