import type { Service } from '../service.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'

/**
 * Returns the first option key of a local volume that makes it more than an empty directory or
 * memory: a bind, a device, a network share, or an unknown option. Returns undefined if there is
 * none.
 */
export function disallowedVolumeOption(
  options: Readonly<Record<string, string>>,
): string | undefined {
  const given = Object.entries(options).filter(([, value]) => value !== '')
  if (given.length === 0) return undefined
  const { type = '', o = '' } = options
  const at = 'device' in options ? 'device' : 'type' in options ? 'type' : given[0]?.[0]
  if (type !== 'tmpfs') return at
  const unknown = given.find(([key]) => !['type', 'device', 'o'].includes(key))
  if (unknown) return unknown[0]
  return o.split(',').every((option) => memoryOption.test(option.trim())) ? undefined : at
}

/** Mount options of an in-memory file system. */
const memoryOption =
  /^(|(size|nr_blocks|nr_inodes|mode|uid|gid)=[0-9]+[kmg%]?|ro|rw|(no)?(exec|suid|dev|atime|diratime)|relatime)$/i

/** Network options that do not change interfaces, addresses or rules of the host. */
const allowedNetworkOptions = new Set([
  'com.docker.network.driver.mtu',
  'com.docker.network.bridge.enable_icc',
  'com.docker.network.bridge.enable_ip_masquerade',
  'com.docker.network.bridge.host_binding_ipv4',
  'com.docker.network.container_iface_prefix',
  'encrypted',
])

/** Returns the network options that need privileges: all that are not known to be harmless. */
export const disallowedNetworkOptions = (options: Readonly<Record<string, string>>): string[] =>
  Object.keys(options).filter((key) => !allowedNetworkOptions.has(key))

/**
 * Yields the options of a service that are passed to drivers and runtimes on the host. All of them
 * need privileges.
 */
export function* serviceOptionReach(service: Service, at: Path): Generator<Finding> {
  for (const key of Object.keys(service.annotations ?? {})) {
    yield { path: [...at, 'annotations', key], detail: `the annotation ${key}` }
  }
  for (const [name, network] of Object.entries(service.networks ?? {})) {
    for (const key of Object.keys(network?.driver_opts ?? {})) {
      const path = [...at, 'networks', name, 'driver_opts', key]
      yield { path, detail: `the network option ${key}` }
    }
  }
}
