/**
 * Attributes of the Engine's `HostConfig` that give a container no access to its host: limits,
 * restart and logging, name resolution and published ports.
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
