/**
 * Attributes of the Engine's `HostConfig` that give a container no access to its host, whatever
 * their value: limits, restart, name resolution and published ports.
 */
export const limitAttributes: ReadonlySet<string> = new Set([
  ...['CpuShares', 'NanoCpus', 'CpuPeriod', 'CpuQuota', 'CpusetCpus', 'CpusetMems', 'CpuCount'],
  ...['CpuPercent', 'Memory', 'MemoryReservation', 'MemorySwap', 'MemorySwappiness'],
  ...['KernelMemory', 'KernelMemoryTCP', 'PidsLimit', 'ShmSize', 'BlkioWeight'],
  ...['IOMaximumIOps', 'IOMaximumBandwidth', 'Init', 'RestartPolicy', 'AutoRemove'],
  ...['ContainerIDFile', 'ConsoleSize', 'ReadonlyRootfs', 'CapDrop', 'Tmpfs', 'PortBindings'],
  ...['PublishAllPorts', 'Dns', 'DnsOptions', 'DnsSearch', 'ExtraHosts', 'GroupAdd'],
])
