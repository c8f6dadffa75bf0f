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
    reason: 'identity, times and the process are new with each container',
    drop: [
      ...['Id', 'Created', 'State.Pid', 'State.StartedAt', 'State.FinishedAt', 'State.Health.Log'],
      ...['RestartCount', 'State.Health.FailingStreak', 'ExecIDs'],
    ],
  },
  {
    of: 'container',
    reason: 'the Engine’s own files of a container lie under its id',
    drop: ['ResolvConfPath', 'HostnamePath', 'HostsPath', 'LogPath', 'GraphDriver.Data'],
  },
  {
    of: 'container',
    reason: 'the Engine draws sandboxes, endpoints and addresses as it likes',
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
      'docker compose 2.26 loses driver_opts of a service’s network; current ones, as we, do not',
    drop: ['NetworkSettings.Networks.*.DriverOpts'],
  },
  {
    of: 'container',
    reason: 'the Engine draws a host port where none, or a range, is asked for',
    bring: dropDrawnPorts,
  },
  {
    of: 'container',
    reason:
      'compose’s version, and the config hash in the form of that version: a deploy by us over what docker compose made ' +
      'must recreate nothing, which judges the hash',
    drop: [
      'Config.Labels.com.docker.compose.version',
      'Config.Labels.com.docker.compose.config-hash',
    ],
  },
  {
    of: 'container',
    reason:
      'an image that is built comes out with an id of its own each time, and ours says that we built it',
    bring: dropBuilt,
  },
  {
    of: 'container',
    reason:
      'docker compose writes variables, hosts, limits, links and dependencies in an order drawn anew each time',
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
      'docker compose 2.26 leaves `expose` as it is written, current ones, as we, write ranges out and name the protocol; ' +
      'the Engine repeats those that are not published among the ports',
    bring: writeOutExposed,
  },
  {
    of: 'container',
    reason: 'the digest of configs is ours alone: by it a changed one is found',
    drop: ['Config.Labels.container-stacks.config-contents'],
  },
  {
    of: 'container',
    reason:
      'volumes are asked for in Binds or in Mounts, which differs between versions; both mean the same',
    bring: joinMounts,
  },
  {
    of: 'container',
    reason:
      'the Engine notes nothing for a bind that was asked for in Mounts, and `z` for a volume; RW says what may be written',
    bring: ({ Mounts }) => {
      for (const mount of Mounts ?? []) {
        mount.Mode = mount.Mode.replace(mount.Type === 'volume' ? /^(z|rw|ro)$/ : /^(rw|ro)$/, '')
      }
    },
  },
  {
    of: 'container',
    reason: 'an empty list and none are the same to the Engine',
    bring: ({ HostConfig }) => {
      for (const [key, value] of Object.entries(HostConfig)) {
        if (Array.isArray(value) && value.length === 0) HostConfig[key] = null
      }
    },
  },
  {
    of: 'container',
    reason: 'the Engine lists mounts in no order',
    bring: (one) => sortBy(one.Mounts, 'Destination'),
  },
  {
    of: 'network',
    reason:
      'identity and time are new with each network, and who is in it is what the containers say',
    drop: ['Id', 'Created', 'Containers'],
  },
  {
    of: 'network',
    reason: 'the Engine draws a subnet where none is asked for',
    bring: dropDrawnSubnets,
  },
  {
    of: 'network',
    reason: 'compose’s version; the config hash came after 2.26',
    drop: ['Labels.com.docker.compose.version', 'Labels.com.docker.compose.config-hash'],
  },
  {
    of: 'volume',
    reason: 'time and place are new with each volume',
    drop: ['CreatedAt', 'Mountpoint'],
  },
  {
    of: 'volume',
    reason: 'compose’s version; the config hash came after 2.26',
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

function dropDrawnAddresses({ NetworkSettings }: Json): void {
  for (const network of Object.values<Json>(NetworkSettings.Networks ?? {})) {
    const { IPv4Address, IPv6Address } = network.IPAMConfig ?? {}
    if (!IPv4Address) for (const key of ['IPAddress', 'IPPrefixLen']) drop(network, key)
    if (!IPv6Address)
      for (const key of ['GlobalIPv6Address', 'GlobalIPv6PrefixLen']) drop(network, key)
    // Derived from the address unless the project sets one.
    if (/^02:42:/.test(network.MacAddress)) drop(network, 'MacAddress')
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
