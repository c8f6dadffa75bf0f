import { expect, test } from 'vitest'
import { knownMessage } from './engine-messages.ts'

test.each([
  [
    'failed to set up container networking: driver failed programming external connectivity on endpoint a (b): error starting userland proxy: failed to listen on 0.0.0.0:18095: protocol not supported',
    'the published port 0.0.0.0:18095',
  ],
  [
    'failed to set up container networking: driver failed programming external connectivity on endpoint a (b): unknown protocol',
    'a port has a protocol',
  ],
  [
    'invalid network config:\ninvalid ip-range 10.77.0.5/25: it should be 10.77.0.0/25',
    'it should be 10.77.0.0/25',
  ],
  ['invalid network config:\ninvalid subnet : invalid CIDR block notation', 'needs a subnet'],
  [
    'invalid network config:\ninvalid subnet nope: invalid CIDR block notation',
    'the subnet of the network is not valid',
  ],
  [
    'invalid network config:\ninvalid ip-range nope: invalid CIDR block notation',
    'the ip-range of the network is not valid',
  ],
  [
    "invalid network config:\ninvalid gateway 10.78.0.1: parent subnet 10.77.0.0/24 doesn't contain this address",
    'outside of its subnet 10.77.0.0/24',
  ],
  [
    "invalid network config:\ninvalid ip-range 10.78.0.0/25: parent subnet 10.77.0.0/24 doesn't contain ip-range",
    'outside of its subnet 10.77.0.0/24',
  ],
  [
    'invalid network config:\ninvalid ip-range 10.77.0.0/16: CIDR block is bigger than its parent subnet 10.77.0.0/24',
    'larger than the subnet 10.77.0.0/24',
  ],
  [
    'invalid network config:\ninvalid gateway nope: invalid address',
    'the gateway of the network is no',
  ],
  [
    'invalid network config:\ninvalid auxiliary address a: invalid address',
    'the auxiliary address of the network is no',
  ],
  ["bridge driver doesn't support multiple subnets", 'at most one subnet'],
  ['IPv4 or IPv6 must be enabled', 'no addresses at all'],
  [
    'invalid config for network a: invalid endpoint settings:\n* invalid IPv4 address: nope\n* no configured subnet or ip-range contain the IP address nope',
    'no IPv4 address',
  ],
  [
    'invalid config for network a: invalid endpoint settings:\ninvalid link-local IP address: nope',
    'no link-local IP address',
  ],
  [
    'invalid config for network a: invalid endpoint settings:\nno configured subnet or ip-range contain the IP address 10.80.0.5',
    'not in a subnet',
  ],
  [
    'failed to parse com.docker.network.driver.mtu value: nope (strconv.Atoi: parsing "nope": invalid syntax)',
    'com.docker.network.driver.mtu is not valid',
  ],
  ['invalid MTU number: -5', 'the MTU'],
  ['existing interface lo is not a bridge', 'the interface lo'],
  [
    'cannot create network a1 (docker0): conflicts with network b2 (docker0): networks have same bridge name',
    'the same bridge',
  ],
  ["gateway mode 'isolated' can only be used for an internal network", 'internal: true'],
  ['loopback interface is not a valid macvlan parent link', 'of a macvlan network'],
  [
    "requested macvlan mode 'nope' is not valid, 'bridge' mode is the macvlan driver default",
    'no such mode',
  ],
  [
    "requested ipvlan flag 'nope' is not valid, 'bridge' is the ipvlan driver default",
    'no such flag',
  ],
  ['vlan id must be between 1-4094, received: 9999', 'number of a VLAN'],
  ['unable to parse a valid vlan id from: x (ex. eth0.10 for vlan 10)', 'number of a VLAN'],
  ['-o parent interface was not found on the host: eth99', 'no interface eth99'],
  ['numerical result out of range', 'does not support the options'],
  ['cannot create a swarm scoped network when swarm is not active', 'requires a swarm'],
  ['only one instance of "host" network is allowed', 'of the driver host'],
  ['configuration network "nope" does not exist', 'No such network: nope'],
  [
    'container cannot be connected to multiple networks with one of the networks in private (none) mode',
    'with the network none',
  ],
  [
    'cannot connect container to host network - container must be created in host network mode',
    'when a container is created',
  ],
  [
    'container cannot be disconnected from host network or connected to host network',
    'when a container is created',
  ],
])('%s', (theirs, ours) => {
  expect(knownMessage(theirs)).toContain(ours)
})
