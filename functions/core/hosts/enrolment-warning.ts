import { addressProblem } from '../net/addresses.ts'
import { normalHost } from '../net/outbound-rules.ts'

/**
 * Returns what a person must know before running the line that enrols an agent at a URL of the
 * service, or null if there is nothing: an address that leads other machines to themselves, or a
 * token that anyone on the way can read.
 */
export function enrolmentWarning(base: string): string | null {
  const { protocol, hostname } = new URL(base)
  const host = normalHost(hostname)
  if (host === 'localhost' || host.endsWith('.localhost') || isThisMachine(host)) {
    return `${hostname} leads every machine to itself: the line works on the machine of the service alone. Set SERVICE_BASE_URL to an address that the host can reach`
  }
  if (protocol === 'https:') return null
  return 'the address is plain http: anyone on the way can read the token and enrol in place of the host. Set SERVICE_BASE_URL to an https address'
}

/** Loopback and unspecified addresses, in IPv6 forms too. */
const isThisMachine = (host: string) =>
  /loopback|this machine|IPv4 address in the form/.test(addressProblem(host) ?? '')
