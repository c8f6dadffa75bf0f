/**
 * Attributes of the Engine's `HostConfig` that limit a container or say how it starts, logs in its
 * own place, resolves names and publishes ports: whatever their value, they open nothing of the
 * host that a compose file could not ask for without privileges.
 */
export const limitAttributes: ReadonlySet<string> = new Set([
  ...['CpuShares', 'NanoCpus', 'CpuPeriod', 'CpuQuota', 'CpuRealtimePeriod', 'CpuRealtimeRuntime'],
  ...['CpusetCpus', 'CpusetMems', 'CpuCount', 'CpuPercent', 'Memory', 'MemoryReservation'],
  ...['MemorySwap', 'MemorySwappiness', 'KernelMemory', 'KernelMemoryTCP', 'OomKillDisable'],
  ...['OomScoreAdj', 'PidsLimit', 'Ulimits', 'ShmSize', 'StorageOpt', 'BlkioWeight'],
  ...['BlkioWeightDevice', 'BlkioDeviceReadBps', 'BlkioDeviceWriteBps', 'BlkioDeviceReadIOps'],
  ...['BlkioDeviceWriteIOps', 'IOMaximumIOps', 'IOMaximumBandwidth', 'Init', 'RestartPolicy'],
  ...['AutoRemove', 'ContainerIDFile', 'ConsoleSize', 'ReadonlyRootfs', 'CapDrop', 'Tmpfs'],
  ...['PortBindings', 'PublishAllPorts', 'Dns', 'DnsOptions', 'DnsSearch', 'ExtraHosts'],
  ...['GroupAdd', 'Sysctls'],
])
