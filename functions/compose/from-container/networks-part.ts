import { compareBytes } from '../hash/hash-fields.ts'
import { containerNamed, type Neighbours, sharedNamespace } from './containers.ts'
import {
  type Fields,
  fieldsAt,
  listAt,
  numberAt,
  present,
  textAt,
  textsAt,
  unlessEmpty,
  unlessNone,
} from './fields.ts'
import type { ContainerInspection, Part } from './inspection.ts'

/** Returns the networks of a container, with their entries of the compose file. */
export function networksPart(
  inspection: ContainerInspection,
  neighbours: Neighbours,
): Part & { networks: Fields } {
  const asked = textAt(inspection.hostConfig, 'NetworkMode')
  const mode = asked === '' || asked === 'default' ? 'bridge' : asked
  if (mode === 'host' || mode === 'none' || mode.startsWith('container:')) {
    const fields = { network_mode: sharedNamespace(mode, neighbours) }
    return { fields, left: [], networks: {} }
  }
  const found = Object.entries(inspection.networks).filter(([name]) => name !== 'bridge')
  const main = mainNetwork(mode, found)
  const isJoined = main === 'bridge' || found.some(([name]) => name === main)
  const joined: [string, Fields][] = isJoined ? found : [[main, {}], ...found]
  const common = {
    mac_address: textAt(inspection.config, 'MacAddress') || undefined,
    ...links(inspection, neighbours),
  }
  if (joined.length === 0) {
    return { fields: present({ network_mode: 'bridge', ...common }), left: [], networks: {} }
  }
  const hasBridge = main === 'bridge' || Object.hasOwn(inspection.networks, 'bridge')
  return {
    fields: present({ networks: endpoints(joined, main, inspection), ...common }),
    left: hasBridge
      ? ['networks: it is in the network bridge too, which a compose file cannot add to others']
      : [],
    networks: Object.fromEntries(joined.map(([name]) => [name, { external: true }])),
  }
}

/** Returns the name of the first network, which a container may have been given by an id. */
function mainNetwork(mode: string, found: readonly [string, Fields][]): string {
  const isId = /^[0-9a-f]{12,64}$/.test(mode)
  const byId = found.find(([, one]) => isId && textAt(one, 'NetworkID').startsWith(mode))
  return found.some(([name]) => name === mode) ? mode : (byId?.[0] ?? mode)
}

/** The first network is the one with the highest priority, and else the first by name. */
function endpoints(
  joined: readonly [string, Fields][],
  main: string,
  inspection: ContainerInspection,
): unknown {
  const [first] = joined.map(([name]) => name).sort(compareBytes)
  const entries = joined.map(([name, one]): [string, Fields] => [
    name,
    present({
      ...endpoint(one, inspection),
      priority: name === main && name !== first ? 1 : undefined,
    }),
  ])
  const isPlain = entries.every(([, one]) => Object.keys(one).length === 0)
  return isPlain ? entries.map(([name]) => name) : Object.fromEntries(entries)
}

const interfaceOption = 'com.docker.network.endpoint.ifname'

function endpoint(one: Fields, { id, name }: ContainerInspection): Fields {
  const addresses = fieldsAt(one, 'IPAMConfig')
  const options = textsAt(one, 'DriverOpts')
  const others = options.filter(([key]) => key !== interfaceOption)
  // A service has its name and that of its container anyway. Older Engines show the short id.
  const aliases = listAt(one, 'Aliases').filter(
    (alias) => alias !== name && alias !== id.slice(0, 12),
  )
  return {
    aliases: unlessNone([...new Set(aliases)]),
    ipv4_address: textAt(addresses, 'IPv4Address') || undefined,
    ipv6_address: textAt(addresses, 'IPv6Address') || undefined,
    link_local_ips: unlessNone(listAt(addresses, 'LinkLocalIPs')),
    interface_name: options.find(([key]) => key === interfaceOption)?.[1],
    driver_opts: unlessEmpty(Object.fromEntries(others)),
    gw_priority: numberAt(one, 'GwPriority') || undefined,
  }
}

/** Returns the links of a container: `db:database`. The Engine shows `/db:/web/database`. */
function links({ hostConfig, networks }: ContainerInspection, neighbours: Neighbours): Fields {
  const shown = [
    ...listAt(hostConfig, 'Links'),
    ...Object.values(networks).flatMap((one) => listAt(one, 'Links')),
  ]
  const pairs = shown.map((link) => {
    const [target = '', alias = ''] = link.split(':')
    const name = containerNamed(target, neighbours)
    return { name, text: `${name}:${alias.slice(alias.lastIndexOf('/') + 1) || name}` }
  })
  const isService = ({ name }: { name: string }) => neighbours.services.has(name)
  const textsOf = (some: readonly { text: string }[]) =>
    unlessNone([...new Set(some.map(({ text }) => text))])
  return {
    links: textsOf(pairs.filter(isService)),
    external_links: textsOf(pairs.filter((one) => !isService(one))),
  }
}
