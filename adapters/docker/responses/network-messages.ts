import type { MessageRow } from './message-row.ts'

const port = String.raw`((?:[\d.]{7,15}|\[[0-9a-f:]{2,39}\]):\d{1,5})\b`

/** Errors of networks and published ports. */
export const networkMessages: readonly MessageRow[] = [
  [
    new RegExp(`failed to bind host port(?: for)? ${port}.*address already in use`),
    'the port $1 of the host is already allocated',
  ],
  [
    new RegExp(`failed to bind host port(?: for)? ${port}.*cannot assign requested address`),
    'the host does not have the address of the published port $1',
  ],
  [
    new RegExp(`failed to listen on ${port}: protocol not supported`),
    'the kernel of the host does not support the protocol of the published port $1',
  ],
  [/: unknown protocol$/, 'a port has a protocol that the Engine does not know'],
  // Subnets and addresses.
  [
    /invalid ip-range ([\da-f.:/]{1,60}): it should be ([\da-f.:/]{1,60})/,
    'the ip_range $1 is not valid: it should be $2',
  ],
  [/invalid subnet : /, 'a network with a gateway or an ip_range needs a subnet'],
  [
    /invalid (subnet|ip-range) .*: invalid CIDR block/,
    'the $1 of the network is not valid: it is written as 172.30.0.0/24',
  ],
  [
    /parent subnet ([\da-f.:/]{1,60}) doesn't contain/,
    'an address of the network is outside of its subnet $1',
  ],
  [/bigger than its parent subnet ([\da-f.:/]{1,60})/, 'the ip_range is larger than the subnet $1'],
  [
    /invalid (gateway|auxiliary address) .*: invalid address/,
    'the $1 of the network is no IP address',
  ],
  [
    /invalid (IPv[46]|link-local IP) address: /,
    'the service has an address in a network that is no $1 address',
  ],
  [/no configured subnet or ip-range contain/, 'the address is not in a subnet of the network'],
  [
    /doesn't support multiple subnets/,
    'a bridge network has at most one subnet of IPv4, and one of IPv6',
  ],
  [/IPv4 or IPv6 must be enabled|^ipv4 pool is empty/, 'the network has no addresses at all'],
  // Options of drivers.
  [
    /failed to parse (com\.docker\.network\.[\w.]{1,100}) value/,
    'driver_opts: the value of $1 is not valid',
  ],
  [/invalid MTU number/, 'driver_opts: the MTU of the network is not valid'],
  [
    /existing interface ([\w.-]{1,60}) is not a bridge/,
    'driver_opts: the interface $1 of the host is no bridge',
  ],
  [/networks have same bridge name/, 'driver_opts: another network has the same bridge'],
  [
    /gateway mode 'isolated' can only/,
    'driver_opts: the gateway mode isolated requires internal: true',
  ],
  [
    /loopback interface is not a valid (macvlan|ipvlan) parent/,
    'the parent interface of a $1 network cannot be the loopback interface',
  ],
  [
    /requested (?:macvlan|ipvlan) (mode|flag) .* is not valid/,
    'driver_opts: the driver of the network has no such $1',
  ],
  [
    /vlan id must be between|parse a valid vlan id/,
    'the parent interface has no valid number of a VLAN, between 1 and 4094',
  ],
  [/parent interface was not found on the host: ([\w.-]{1,60})/, 'the host has no interface $1'],
  [
    /^(?:invalid argument|numerical result out of range|operation not supported)$/,
    'the kernel of the host does not support the options',
  ],
  // Networks that are special.
  [
    /swarm is not active|Ingress network can only/,
    'the network requires a swarm, of which the host is no manager',
  ],
  [
    /only one instance of "(host|null)" network/,
    'the Engine has only its built-in network of the driver $1',
  ],
  [/configuration network "([\w.-]{1,255})" does not exist/, 'No such network: $1'],
  [
    /networks in private \(none\) mode/,
    'a container with the network none can have no other network',
  ],
  [
    /connect container to host network|connected to host network/,
    'the network of the host can only be chosen when a container is created',
  ],
  [
    /cannot expose privileged port (\d{1,5})/,
    'the Engine runs without root and cannot publish a port below 1024: $1',
  ],
  [
    new RegExp(`${port}: bind: permission denied`),
    'the host does not let the Engine publish the port $1',
  ],
  [
    new RegExp(`${port}: socket: address family not supported`),
    'the host has no IPv6, which the published port $1 requires',
  ],
  [
    /pair interfaces: operation not supported/,
    'the kernel of the host cannot create network interfaces: after an update of it, reboot the host',
  ],
  [/failed: exchange full/, 'the bridge of the network has no room for another container'],
  [/no available IPv[46] addresses/, 'the network has no free address left'],
  [
    /failed to create the (macvlan|ipvlan) port: device or resource busy/,
    'the parent interface of the $1 network is used in another way already',
  ],
  [
    /already using parent interface ([\w.-]{1,60})/,
    'another network uses the parent interface $1 already',
  ],
  [
    /invalid subinterface vlan name ([\w.-]{1,60})/,
    'the parent interface $1 is not valid: a VLAN is written as eth0.10',
  ],
  [/requested parent interface ([\w.-]{1,60}) was not found/, 'the host has no interface $1'],
  [/networks have overlapping IPv[46]/, 'the subnet overlaps with that of another network'],
  [
    /invalid subnet ([\da-f.:/]{1,60}): it should be ([\da-f.:/]{1,60})/,
    'the subnet $1 is not valid: it should be $2',
  ],
  [/invalid CIDR address/, 'a subnet is not valid: it is written as 172.30.0.0/24'],
  [/not a swarm manager/, 'the network requires a swarm, of which the host is no manager'],
  [/not manually attachable/, 'the network of the swarm is not attachable'],
  [/network-scoped alias/, 'aliases require a network other than bridge, host and none'],
  [
    /container sharing network namespace with another container or host/,
    'a container that shares the network of another one, or of the host, can join no other',
  ],
  [
    /not permitted on predefined|is a pre-defined network/,
    'a built-in network of the Engine cannot be changed',
  ],
  [
    /service endpoint with name ([\w.-]{1,255}) already exists/,
    'the network still has a container with the name $1: remove it, or disconnect it with force',
  ],
  [/is already connected to network/, 'the container is already attached to the network'],
]
