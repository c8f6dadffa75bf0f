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
