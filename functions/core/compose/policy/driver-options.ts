/**
 * Returns the first key of a local volume's options with which it is more than an empty directory of
 * the Engine's own or memory: a bind, a device, a share of another machine, or an option that is not
 * known. Undefined if there is none.
 */
export function volumeOptionBeyond(options: Readonly<Record<string, string>>): string | undefined {
  const asked = Object.entries(options).filter(([, value]) => value !== '')
  if (asked.length === 0) return undefined
  const { type = '', o = '' } = options
  if (type !== 'tmpfs')
    return 'device' in options ? 'device' : 'type' in options ? 'type' : asked[0]![0]
  const unknown = asked.find(([key]) => !['type', 'device', 'o'].includes(key))
  if (unknown) return unknown[0]
  return o.split(',').every((option) => memoryOption.test(option.trim())) ? undefined : 'o'
}

/** What a file system in memory may be mounted with. */
const memoryOption =
  /^(|(size|nr_blocks|nr_inodes|mode|uid|gid)=[0-9]+[kmg%]?|ro|rw|(no)?(exec|suid|dev|atime|diratime)|relatime)$/i

/** Options of a network that change nothing on the host's own interfaces, addresses and rules. */
const networkOptions = new Set([
  'com.docker.network.driver.mtu',
  'com.docker.network.bridge.enable_icc',
  'com.docker.network.bridge.enable_ip_masquerade',
  'com.docker.network.bridge.host_binding_ipv4',
  'com.docker.network.container_iface_prefix',
  'encrypted',
])

/** Returns the options of a network that need privileges: every one that is not known to be harmless. */
export const networkOptionsBeyond = (options: Readonly<Record<string, string>>): string[] =>
  Object.keys(options).filter((key) => !networkOptions.has(key))

/**
 * True for a subnet of addresses that are private to a network. With any other the host would send
 * its own traffic for these addresses (a name server's, a registry's) into the container network.
 */
export function isPrivateSubnet(subnet: string): boolean {
  const [address = '', prefix = ''] = subnet.split('/')
  if (!/^\d{1,3}$/.test(prefix)) return false
  if (address.includes(':')) return /^f[cd][0-9a-f]{2}:/i.test(address) && Number(prefix) >= 7
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return false
  const [first = 0, second = 0] = parts.map(Number)
  const bits = Number(prefix)
  if (first === 10) return bits >= 8
  if (first === 172 && second >= 16 && second <= 31) return bits >= 12
  if (first === 100 && second >= 64 && second <= 127) return bits >= 10
  return first === 192 && second === 168 && bits >= 16
}
