import { hostname } from 'node:os'
import type { Addresses } from '../../../functions/core/ports/addresses.ts'
import { usualPort } from './agents.ts'

/** The configured addresses of the service. */
export interface ConfiguredAddresses {
  baseUrl: string | undefined
  agentEndpoint: string | undefined
  agentPort: number | undefined
  stacksDirectory: string | undefined
}

type Headers = Readonly<Record<string, string | undefined>>

/** Returns whether a text is a host that an address can have, perhaps with a port. */
const isHost = (text: string) =>
  /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}/`)

/**
 * Returns the configured addresses. The default is that of the page that sent the request, or else
 * the `Host` header, if it is a valid host. Whoever forges one of them gets the forged address in
 * their own response. `listening` returns the port that this process listens on for agents, if it
 * does.
 */
export function addresses(
  config: ConfiguredAddresses,
  listening: () => number | undefined,
): Addresses {
  const base: Addresses['base'] = (headers) =>
    (config.baseUrl ?? pageOrigin(headers) ?? requestAddress(headers)).replace(/\/+$/, '')
  const agentPort = () => listening() ?? (config.agentPort || usualPort)
  return {
    base,
    agents: (headers) =>
      config.agentEndpoint ?? `${new URL(base(headers)).hostname}:${agentPort()}`,
    stacksDirectory: config.stacksDirectory ?? '/opt/stacks',
  }
}

/**
 * Returns the origin of the page that sent a request, which has the scheme and the port of the
 * address that people use, also where a proxy does not pass them.
 */
function pageOrigin({ origin = '' }: Headers): string | undefined {
  const host = /^https?:\/\/(.+)$/.exec(origin)?.[1] ?? ''
  return isHost(host) ? origin : undefined
}

/**
 * Returns the address that a client or a script used. A proxy that terminates TLS names its scheme.
 */
function requestAddress({ host = '', 'x-forwarded-proto': scheme = '' }: Headers): string {
  const isSecure = /^https\s*(,|$)/i.test(scheme)
  return `${isSecure ? 'https' : 'http'}://${isHost(host) ? host : hostname()}`
}
