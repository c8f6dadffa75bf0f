import ipaddr from 'ipaddr.js'
import type { NetworkConfig } from '../project.ts'
import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'

/** Yields address settings that make the host route traffic for other machines into a network. */
export function* subnetReach({ ipam }: NetworkConfig, at: Path): Generator<Finding> {
  if (ipam.driver && ipam.driver !== 'default' && ipam.driver !== 'null') {
    yield { path: [...at, 'ipam', 'driver'], detail: `the address driver ${ipam.driver}` }
  }
  for (const key of Object.keys(ipam.options ?? {})) {
    yield { path: [...at, 'ipam', 'options', key], detail: 'an option of an address driver' }
  }
  for (const [index, { subnet }] of (ipam.config ?? []).entries()) {
    if (subnet === undefined || isAllowedSubnet(subnet)) continue
    const detail = `the subnet ${subnet} would redirect traffic of the host into this network`
    yield { path: [...at, 'ipam', 'config', index, 'subnet'], detail }
  }
}

/**
 * Returns whether a subnet is a private range of usual size. The host routes the whole subnet to
 * the network.
 */
function isAllowedSubnet(subnet: string): boolean {
  if (!ipaddr.isValidCIDR(subnet)) return false
  const [address, bits] = ipaddr.parseCIDR(subnet)
  if (address.kind() === 'ipv4') return address.range() === 'private' && bits >= 16
  return (address.range() === 'uniqueLocal' || isDocumentation(subnet)) && bits >= 48
}

/** 2001:db8::/32 is reserved for documentation and appears in many examples. */
const isDocumentation = (subnet: string) => /^2001:0?db8:/i.test(subnet)

/**
 * Yields `link_local_ips` that are not link-local. The container would answer for the owner of such
 * an address.
 */
export function* linkLocalReach(service: Service, at: Path): Generator<Finding> {
  for (const [key, network] of Object.entries(service.networks ?? {})) {
    for (const [index, address] of (network?.link_local_ips ?? []).entries()) {
      if (ipaddr.isValid(address) && ipaddr.parse(address).range() === 'linkLocal') continue
      const detail = `${address} is not a link-local address`
      yield { path: [...at, 'networks', key, 'link_local_ips', index], detail, near: address }
    }
  }
}
