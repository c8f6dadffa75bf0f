import type { Json } from './engine.ts'

const dependsOn = 'com.docker.compose.depends_on'
const builder = 'com.docker.compose.image.builder'

/** An expected difference between equivalent objects, and how to normalize both sides. */
export interface NormalForm {
  of: 'container' | 'network' | 'volume'
  reason: string
  /** Paths to leave out. */
  drop?: readonly string[]
  /** `asked` is the project's model as text. */
  bring?(one: Json, asked: string): void
}

/** Everything that is not compared as it is. */
export const normalForms: readonly NormalForm[] = [
  {
    of: 'container',
    reason: 'each container has its own ID, times and process',
    drop: [
      ...['Id', 'Created', 'State.Pid', 'State.StartedAt', 'State.FinishedAt', 'State.Health.Log'],
      ...['RestartCount', 'State.Health.FailingStreak', 'ExecIDs'],
    ],
  },
  {
    of: 'container',
    reason: 'the Engine keeps files of a container under its ID',
    drop: ['ResolvConfPath', 'HostnamePath', 'HostsPath', 'LogPath', 'GraphDriver.Data'],
  },
  {
    of: 'container',
    reason: 'the Engine assigns sandboxes, endpoints and addresses',
    drop: [
      ...['SandboxID', 'SandboxKey', 'EndpointID', 'Gateway', 'IPAddress', 'IPPrefixLen'].map(
        (key) => `NetworkSettings.${key}`,
      ),
      ...['IPv6Gateway', 'GlobalIPv6Address', 'GlobalIPv6PrefixLen', 'MacAddress'].map(
        (key) => `NetworkSettings.${key}`,
      ),
      ...['EndpointID', 'Gateway', 'IPv6Gateway', 'NetworkID'].map(
        (key) => `NetworkSettings.Networks.*.${key}`,
      ),
    ],
    bring: dropDrawnAddresses,
  },
  {
    of: 'container',
    reason:
      'docker compose 2.26 drops driver_opts of the network of a service; newer versions and the service do not',
    drop: ['NetworkSettings.Networks.*.DriverOpts'],
  },
  {
    of: 'container',
    reason: 'the Engine assigns a host port if none or a range is requested',
    bring: dropDrawnPorts,
  },
  {
    of: 'container',
    reason:
      'the version of docker compose, and its form of the config hash: a deploy of the service over containers of docker ' +
      'compose must recreate nothing, which compares the hashes',
    drop: [
      'Config.Labels.com.docker.compose.version',
      'Config.Labels.com.docker.compose.config-hash',
    ],
  },
  {
    of: 'container',
    reason: 'each build gives an image a new ID, and the service labels its builds',
    bring: dropBuilt,
  },
  {
    of: 'container',
    reason:
      'docker compose writes variables, hosts, limits, links and dependencies in random order',
    bring: ({ Config, HostConfig, NetworkSettings }) => {
      Config.Env?.sort()
      HostConfig.ExtraHosts?.sort()
      HostConfig.Ulimits = sortBy(HostConfig.Ulimits, 'Name')
      for (const network of Object.values<Json>(NetworkSettings.Networks)) network.Links?.sort()
      const dependencies: string | undefined = Config.Labels[dependsOn]
      if (dependencies) Config.Labels[dependsOn] = dependencies.split(',').sort().join(',')
    },
  },
  {
    of: 'container',
    reason:
      'docker compose 2.26 keeps `expose` as written; newer versions and the service expand ranges and add the protocol;  ' +
      'the Engine also lists unpublished ports',
    bring: writeOutExposed,
  },
  {
    of: 'container',
    reason: 'only the service stores the digest of configs, to detect a change',
    drop: ['Config.Labels.container-stacks.config-contents'],
  },
  {
    of: 'container',
    reason: 'versions request volumes in Binds or in Mounts, with the same meaning',
    bring: joinMounts,
  },
  {
    of: 'container',
    reason:
      'the Engine reports no mode for a bind requested in Mounts, and `z` for a volume; RW shows whether it is writable',
    bring: ({ Mounts }) => {
      for (const mount of Mounts ?? []) {
        mount.Mode = mount.Mode.replace(mount.Type === 'volume' ? /^(z|rw|ro)$/ : /^(rw|ro)$/, '')
      }
    },
  },
  {
    of: 'container',
    reason: 'the Engine treats an empty list like a missing one',
    bring: ({ HostConfig }) => {
      for (const [key, value] of Object.entries(HostConfig)) {
        if (Array.isArray(value) && value.length === 0) HostConfig[key] = null
      }
    },
  },
  {
    of: 'container',
    reason: 'the Engine lists mounts in no particular order',
    bring: (one) => sortBy(one.Mounts, 'Destination'),
  },
  {
    of: 'network',
    reason: 'each network has its own ID and time; the containers show its members',
    drop: ['Id', 'Created', 'Containers'],
  },
  {
    of: 'network',
    reason: 'the Engine assigns a subnet if none is requested',
    bring: dropDrawnSubnets,
  },
  {
    of: 'network',
    reason: 'the version of docker compose; versions after 2.26 add the config hash',
    drop: ['Labels.com.docker.compose.version', 'Labels.com.docker.compose.config-hash'],
  },
  {
    of: 'volume',
    reason: 'each volume has its own time and mount point',
    drop: ['CreatedAt', 'Mountpoint'],
  },
  {
    of: 'volume',
    reason: 'the version of docker compose; versions after 2.26 add the config hash',
    drop: ['Labels.com.docker.compose.version', 'Labels.com.docker.compose.config-hash'],
  },
]

/** Returns a normalized copy of an object. */
export function normal(of: NormalForm['of'], one: Json, asked: string): Json {
  const copy = structuredClone(one)
  for (const form of normalForms) {
    if (form.of !== of) continue
    form.bring?.(copy, asked)
    for (const path of form.drop ?? []) drop(copy, path)
  }
  return copy
}

/** Removes a path. Label names contain dots, so the rest of a path below `Labels` is one name. */
function drop(one: Json | undefined, path: string): void {
  if (one === undefined || one === null) return
  const [, head = path, rest] = /^([^.]+)\.(.+)$/.exec(path) ?? []
  if (rest === undefined) delete one[head]
  else if (head === 'Labels') delete one.Labels?.[rest]
  else if (head === '*') for (const child of Object.values(one)) drop(child, rest)
  else drop(one[head], rest)
}

function dropBuilt(one: Json, asked: string): void {
  const services: Json = JSON.parse(asked).services
  const { Labels } = one.Config
  if (!services[Labels['com.docker.compose.service']]?.build) return
  for (const label of ['com.docker.compose.image', builder]) delete Labels[label]
  delete one.Image
}

function writeOutExposed({ Config, NetworkSettings }: Json): void {
  const exposed = Object.keys(Config.ExposedPorts ?? {}).flatMap((written) => {
    const [range = '', protocol = 'tcp'] = written.split('/')
    const [first = 0, last = first] = range.split('-').map(Number)
    const ports = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    return ports.map((port) => `${port}/${protocol}`)
  })
  Config.ExposedPorts = [...new Set(exposed)].sort()
  for (const [port, bindings] of Object.entries(NetworkSettings.Ports ?? {})) {
    if (bindings === null) delete NetworkSettings.Ports[port]
  }
}

function dropDrawnAddresses({ NetworkSettings }: Json, asked: string): void {
  for (const network of Object.values<Json>(NetworkSettings.Networks ?? {})) {
    const { IPv4Address, IPv6Address } = network.IPAMConfig ?? {}
    if (!IPv4Address) for (const key of ['IPAddress', 'IPPrefixLen']) drop(network, key)
    if (!IPv6Address)
      for (const key of ['GlobalIPv6Address', 'GlobalIPv6PrefixLen']) drop(network, key)
    // Unless the project sets one, Engines derive it from the address or, since 28, draw it.
    if (!asked.includes(network.MacAddress)) drop(network, 'MacAddress')
    network.Aliases?.sort()
  }
}

function dropDrawnPorts({ HostConfig, NetworkSettings }: Json): void {
  for (const [port, bindings] of Object.entries<Json[]>(NetworkSettings.Ports ?? {})) {
    const asked: Json[] = HostConfig.PortBindings?.[port] ?? []
    const fixed = asked.map(({ HostPort }) => HostPort)
    for (const binding of bindings ?? []) {
      if (!fixed.includes(binding.HostPort)) binding.HostPort = 'drawn'
    }
    bindings?.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  }
}

function joinMounts({ HostConfig }: Json): void {
  const mounts: Json[] = HostConfig.Mounts ?? []
  const binds: Json[] = (HostConfig.Binds ?? []).map((text: string) => {
    const [source = '', target = '', options = ''] = text.split(':')
    return { source, target, options: options.split(',').filter((word) => word !== 'rw') }
  })
  const rest = mounts.map(({ Source, Target, ReadOnly, BindOptions, VolumeOptions, ...others }) => {
    const options = [
      ...(ReadOnly ? ['ro'] : []),
      ...(BindOptions?.Propagation ? [BindOptions.Propagation] : []),
      ...(VolumeOptions?.NoCopy ? ['nocopy'] : []),
    ]
    return { source: Source ?? '', target: Target, options, ...unusual(others) }
  })
  HostConfig.Binds = sortBy([...binds, ...rest], 'target')
  delete HostConfig.Mounts
}

const unusual = ({ Type, ...others }: Json) =>
  Type === 'bind' || Type === 'volume' ? others : { Type, ...others }

function dropDrawnSubnets({ IPAM }: Json, asked: string): void {
  for (const pool of IPAM?.Config ?? []) {
    if (asked.includes(JSON.stringify(pool.Subnet))) continue
    pool.Subnet = 'drawn'
    if (pool.Gateway && !asked.includes(JSON.stringify(pool.Gateway))) pool.Gateway = 'drawn'
  }
}

function sortBy(list: Json[] | null | undefined, key: string): Json[] {
  return (list ?? []).sort((one, other) => (one[key] < other[key] ? -1 : 1))
}
