import type ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Addresses that begin with the same so many bits. */
export type AddressRange = [Address, number]

/** The range that has one address alone. */
export const onlyOf = (address: Address): AddressRange => [
  address,
  address.kind() === 'ipv4' ? 32 : 128,
]

export const isIn = (address: Address, [network, bits]: AddressRange): boolean =>
  address.kind() === network.kind() && address.match(network, bits)
