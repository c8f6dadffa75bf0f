import { addressProblem } from '../net/addresses.ts'
import { normalHost } from '../net/outbound-rules.ts'

/**
 * Returns a warning about the URL in the command that enrols an agent, or null: a loopback address
 * leads each machine to itself, and plain HTTP exposes the token.
 */
export function enrolmentWarning(base: string): string | null {
  const { protocol, hostname } = new URL(base)
  const host = normalHost(hostname)
  if (host === 'localhost' || host.endsWith('.localhost') || isThisMachine(host)) {
    return `${hostname} is a loopback address: the command works only on the machine of the service. Set SERVICE_BASE_URL to an address that the host can reach`
  }
  if (protocol === 'https:') return null
  return 'the address uses plain HTTP: anyone on the network path can read the token and enrol another machine with it. Set SERVICE_BASE_URL to an https address'
}

/** Returns whether an address is loopback or unspecified, in the IPv6 forms too. */
const isThisMachine = (host: string) =>
  /loopback|this machine|IPv4 address in the form/.test(addressProblem(host) ?? '')
