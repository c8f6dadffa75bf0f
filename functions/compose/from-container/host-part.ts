import { containerNamed, type Neighbours, sharedNamespace } from './containers.ts'
import {
  type Fields,
  fieldsAt,
  isEmpty,
  listAt,
  numberAt,
  present,
  textAt,
  textsAt,
  unlessNone,
  unsaid,
} from './fields.ts'
import type { ContainerInspection, Part } from './inspection.ts'
import { size } from './resources-part.ts'

/** Attributes whose values a service has unchanged. Empty ones were not set. */
const unchanged: Readonly<Record<string, string>> = {
  Privileged: 'privileged',
  ReadonlyRootfs: 'read_only',
  CapAdd: 'cap_add',
  CapDrop: 'cap_drop',
  GroupAdd: 'group_add',
  UsernsMode: 'userns_mode',
  UTSMode: 'uts',
  CgroupParent: 'cgroup_parent',
  Sysctls: 'sysctls',
  StorageOpt: 'storage_opt',
  Annotations: 'annotations',
  VolumeDriver: 'volume_driver',
  Dns: 'dns',
  DnsSearch: 'dns_search',
  DnsOptions: 'dns_opt',
  OomScoreAdj: 'oom_score_adj',
  OomKillDisable: 'oom_kill_disable',
  CpuShares: 'cpu_shares',
  CpuPeriod: 'cpu_period',
  CpuQuota: 'cpu_quota',
  CpuRealtimePeriod: 'cpu_rt_period',
  CpuRealtimeRuntime: 'cpu_rt_runtime',
  CpusetCpus: 'cpuset',
  CpuCount: 'cpu_count',
  CpuPercent: 'cpu_percent',
  PidsLimit: 'pids_limit',
  DeviceCgroupRules: 'device_cgroup_rules',
}

/** Attributes that another function reads, or that say only how a container was started. */
const known = new Set([
  ...['Binds', 'Mounts', 'Tmpfs', 'VolumesFrom', 'NetworkMode', 'PortBindings', 'Links'],
  ...['PublishAllPorts', 'ContainerIDFile', 'ConsoleSize', 'LogConfig', 'RestartPolicy', 'Init'],
  ...['ShmSize', 'Runtime', 'Isolation', 'CgroupnsMode', 'IpcMode', 'PidMode', 'SecurityOpt'],
  ...['MaskedPaths', 'ReadonlyPaths', 'ExtraHosts', 'NanoCpus', 'Memory', 'MemoryReservation'],
  ...['MemorySwap', 'MemorySwappiness', 'Ulimits', 'Devices', 'DeviceRequests', 'BlkioWeight'],
  ...['BlkioWeightDevice', 'BlkioDeviceReadBps', 'BlkioDeviceReadIOps', 'BlkioDeviceWriteBps'],
  'BlkioDeviceWriteIOps',
])

/**
 * Returns what the `HostConfig` of a container has, less the defaults of the Engine, without
 * networks, ports, mounts and resources.
 *
 * @param showsValues whether the caller may read what may be secret: the options of a log driver,
 *   and attributes that are not known here
 */
export function hostPart(
  { hostConfig, engine }: ContainerInspection,
  neighbours: Neighbours,
  showsValues: boolean,
): Part {
  const log = logging(fieldsAt(hostConfig, 'LogConfig'), engine.logDriver)
  const isHidden = log?.options !== undefined && !showsValues
  const security = securityOptions(hostConfig)
  return {
    fields: present({
      restart: restart(fieldsAt(hostConfig, 'RestartPolicy')),
      init: typeof hostConfig.Init === 'boolean' ? hostConfig.Init : undefined,
      ...copied(hostConfig),
      security_opt: unlessNone(security),
      pid: unless(sharedNamespace(textAt(hostConfig, 'PidMode'), neighbours), '', 'private'),
      ipc: unless(sharedNamespace(textAt(hostConfig, 'IpcMode'), neighbours), '', 'private'),
      cgroup: cgroup(hostConfig, engine.cgroupVersion),
      isolation: unless(textAt(hostConfig, 'Isolation'), '', 'default'),
      runtime: unless(textAt(hostConfig, 'Runtime'), '', engine.runtime),
      shm_size: shmSize(numberAt(hostConfig, 'ShmSize')),
      extra_hosts: extraHosts(hostConfig),
      volumes_from: volumesFrom(hostConfig, neighbours),
      logging: isHidden ? { driver: log?.driver } : log,
    }),
    left: [
      ...unknownAttributes(hostConfig).map((one) => unsaid('HostConfig', one, showsValues)),
      ...(isHidden ? ['logging.options: not shown without the permission containers:secrets'] : []),
      ...(security.some((option) => /^seccomp[=:]\s*\{/.test(option))
        ? ['security_opt: docker compose reads a seccomp profile from a file only']
        : []),
    ],
  }
}

const copied = (hostConfig: Fields): Fields =>
  Object.fromEntries(
    Object.entries(unchanged)
      .map(([name, attribute]): [string, unknown] => [attribute, hostConfig[name]])
      .filter(([, value]) => !isEmpty(value)),
  )

const unless = (value: string, ...usual: string[]) => (usual.includes(value) ? undefined : value)

function restart(policy: Fields): string | undefined {
  const [name, attempts] = [textAt(policy, 'Name'), numberAt(policy, 'MaximumRetryCount')]
  if (name === '' || name === 'no') return undefined
  return name === 'on-failure' && attempts > 0 ? `${name}:${attempts}` : name
}

/** The options of the default driver may come from the settings of the Engine. */
function logging(config: Fields, usual: string): Fields | undefined {
  const driver = textAt(config, 'Type')
  const options = textsAt(config, 'Config')
  if (driver === '' || (driver === usual && options.length === 0)) return undefined
  return present({ driver, options: options.length > 0 ? Object.fromEntries(options) : undefined })
}

function cgroup(hostConfig: Fields, version: string): string | undefined {
  const usual = version === '1' ? 'host' : 'private'
  return unless(textAt(hostConfig, 'CgroupnsMode'), '', usual)
}

/** `name=address`, because an address may have colons. */
const extraHosts = (hostConfig: Fields) =>
  unlessNone(listAt(hostConfig, 'ExtraHosts').map((one) => one.replace(':', '=')))

const usualShmSize = 64 * 1024 * 1024
const shmSize = (bytes: number) => (bytes === usualShmSize ? undefined : size(bytes))

/**
 * The Engine itself turns labels off for a container that shares so much with its host. A container
 * without hidden paths in `/proc` was created with `systempaths=unconfined`, or is privileged.
 */
function securityOptions(hostConfig: Fields): string[] {
  const options = listAt(hostConfig, 'SecurityOpt')
  const isPrivileged = hostConfig.Privileged === true
  const shares = [textAt(hostConfig, 'PidMode'), textAt(hostConfig, 'IpcMode')].includes('host')
  const isOfEngine = (isPrivileged || shares) && options.join() === 'label=disable'
  const { MaskedPaths } = hostConfig
  const isUnconfined = !isPrivileged && Array.isArray(MaskedPaths) && MaskedPaths.length === 0
  return [...(isOfEngine ? [] : options), ...(isUnconfined ? ['systempaths=unconfined'] : [])]
}

function volumesFrom(hostConfig: Fields, neighbours: Neighbours): readonly string[] | undefined {
  const sources = listAt(hostConfig, 'VolumesFrom').map((source) => {
    const [named = '', mode] = source.split(':')
    const name = containerNamed(named, neighbours)
    const one = neighbours.services.has(name) ? name : `container:${name}`
    return mode === undefined ? one : `${one}:${mode}`
  })
  return unlessNone(sources)
}

const unknownAttributes = (hostConfig: Fields): [string, unknown][] =>
  Object.entries(hostConfig)
    .filter(([name]) => !known.has(name) && !Object.hasOwn(unchanged, name))
    .filter(([, value]) => !isEmpty(value))
