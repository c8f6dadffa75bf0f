import { addressProblem } from '../net/addresses.ts'
import { normalHost } from '../net/outbound-rules.ts'

/**
 * Returns a warning about the URL in the command that enrols an agent, or null: a loopback address
 * leads each machine to itself, and plain HTTP exposes the token.
 */
export function enrolmentWarning(base: string): string | null {
  const { protocol, hostname } = new URL(base)
  if (isLoopback(hostname)) {
    return `${hostname} is a loopback address: the command works only on the machine of the service. Set SERVICE_BASE_URL to an address that the host can reach`
  }
  if (protocol === 'https:') return null
  return 'the address uses plain HTTP: anyone on the network path can read the token and enrol another machine with it. Set SERVICE_BASE_URL to an https address'
}

/**
 * Returns why the command cannot work on another machine and what to do, or null. It cannot if
 * the address of the service is not configured, and the request came in over a loopback address.
 */
export function enrolmentProblem(base: string, configured: string | null): string | null {
  const { host, hostname } = new URL(base)
  if (configured !== null || !isLoopback(hostname)) return null
  return `the service does not know its address: you reach it at ${host}, which leads every other machine to itself. Set SERVICE_BASE_URL to an address at which the host reaches the service, such as http://192.168.1.10:8080 or https://stacks.example.org, and restart the service`
}

function isLoopback(hostname: string): boolean {
  const host = normalHost(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || isThisMachine(host)
}

/** Returns whether an address is loopback or unspecified, in the IPv6 forms too. */
const isThisMachine = (host: string) =>
  /loopback|this machine|IPv4 address in the form/.test(addressProblem(host) ?? '')
