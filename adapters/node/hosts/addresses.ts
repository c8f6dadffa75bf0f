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

/**
 * Returns the configured addresses. The default is the `Host` header of the request, if it is a
 * valid host. `listening` returns the port that this process listens on for agents, if it does.
 */
export function addresses(
  config: ConfiguredAddresses,
  listening: () => number | undefined,
): Addresses {
  const hostOf = (headers: Record<string, string | undefined>) => {
    const named = headers.host ?? ''
    return /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(named) ? named : hostname()
  }
  const base: Addresses['base'] = (headers) =>
    (config.baseUrl ?? `http://${hostOf(headers)}`).replace(/\/+$/, '')
  const agentPort = () => listening() ?? (config.agentPort || usualPort)
  return {
    base,
    agents: (headers) =>
      config.agentEndpoint ?? `${new URL(base(headers)).hostname}:${agentPort()}`,
    stacksDirectory: config.stacksDirectory ?? '/opt/stacks',
  }
}
