import { hostname } from 'node:os'
import type { Addresses } from '../../functions/core/addresses.ts'
import { usualPort } from './agents.ts'

/** What is configured of the service's addresses. */
export interface ConfiguredAddresses {
  baseUrl: string | undefined
  agentEndpoint: string | undefined
  agentPort: number | undefined
  stacksDirectory: string | undefined
}

/** Addresses as configured; what is not is where the request came in, whose `Host` header is checked to be one. */
export function addresses(config: ConfiguredAddresses): Addresses {
  const hostOf = (headers: Record<string, string | undefined>) => {
    const named = headers.host ?? ''
    return /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(named) ? named : hostname()
  }
  const base: Addresses['base'] = (headers) =>
    (config.baseUrl ?? `http://${hostOf(headers)}`).replace(/\/+$/, '')
  return {
    base,
    agents: (headers) =>
      config.agentEndpoint ?? `${new URL(base(headers)).hostname}:${config.agentPort ?? usualPort}`,
    stacksDirectory: config.stacksDirectory ?? '/opt/stacks',
  }
}
