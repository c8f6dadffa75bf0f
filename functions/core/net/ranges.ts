import type ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network and the number of leading bits that its addresses share. */
export type AddressRange = [Address, number]

/** Returns the range that contains only this address. */
export const onlyOf = (address: Address): AddressRange => [
  address,
  address.kind() === 'ipv4' ? 32 : 128,
]

export const isIn = (address: Address, [network, bits]: AddressRange): boolean =>
  address.kind() === network.kind() && address.match(network, bits)
