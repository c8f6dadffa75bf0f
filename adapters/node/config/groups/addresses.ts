import { z } from 'zod'
import { endpointAddresses } from '../../../../functions/core/hosts/endpoint.ts'
import {
  type OutboundRule,
  parseOutboundRules,
} from '../../../../functions/core/net/outbound-rules.ts'
import { type SourceReader, sourceReader } from '../../../../functions/core/net/source.ts'
import { feedsUrl } from '../feeds-url.ts'
import { ConfigError, parsedBy, port, type ValuesOf } from '../schema.ts'

/** Where the service listens, where it is reached, and what it may connect to. */
export interface AddressesConfig {
  port: number
  /**
   * The port for agents; 0 selects a free one. The default is 8443, or no port if that one is in
   * use.
   */
  agentPort: number | undefined
  baseUrl: string | undefined
  /**
   * Where clients open feeds, as `ws://` or `wss://` and without a trailing slash, if not at the
   * address of the API.
   */
  feedsUrl: string | undefined
  /** The public address for agents: one or more `host:port`, separated by commas. */
  agentEndpoint: string | undefined
  /** Returns the client address of a request, taking trusted proxies into account. */
  sourceOf: SourceReader
  /** Exceptions from the outbound network policy. */
  outboundAllow: OutboundRule[]
}

const isEndpoint = (text: string) => {
  try {
    return endpointAddresses(text).length > 0
  } catch {
    return false
  }
}

export const addressVariables = {
  SERVICE_PORT: port
    .default(8080)
    .describe('The port of the API and the feeds; 0 picks a free one, which is logged'),
  SERVICE_AGENT_PORT: port
    .optional()
    .describe(
      'The port for agents. If it is not set and 8443 is taken, the process runs without agents',
    ),
  SERVICE_BASE_URL: z
    .url()
    .optional()
    .describe(
      'The public address of the service. Without it, the address of each request is used, single sign-on works on `localhost` only, and there are no passkeys, which also need a host name and https',
    ),
  SERVICE_FEEDS_URL: z
    .string()
    .transform(parsedBy(feedsUrl))
    .optional()
    .describe(
      'Where clients open feeds, if not at the address of the API: the public address of a process that serves them, such as a `sidecar`',
    ),
  SERVICE_AGENT_ENDPOINT: z
    .string()
    .refine(isEndpoint, 'expected host:port, several separated by commas')
    .optional()
    .describe('Where agents reach the service, as `host:port`, comma-separated'),
  SERVICE_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(parsedBy(sourceReader))
    .describe('Addresses and ranges of reverse proxies whose `X-Forwarded-For` is trusted'),
  SERVICE_OUTBOUND_ALLOW: z
    .string()
    .default('')
    .transform(parsedBy(parseOutboundRules))
    .describe(
      'Addresses, ranges and names that the service may connect to for users although they are blocked by default',
    ),
}

/** @throws ConfigError if the API has TLS and the feeds elsewhere have none */
export function addressesFrom(values: ValuesOf<typeof addressVariables>): AddressesConfig {
  const { SERVICE_BASE_URL: baseUrl, SERVICE_FEEDS_URL: feedsUrl } = values
  if (baseUrl && /^https:/i.test(baseUrl) && feedsUrl?.startsWith('ws:')) {
    throw new ConfigError(
      'SERVICE_FEEDS_URL: must be https:// or wss://, as SERVICE_BASE_URL is: clients and browsers refuse feeds without TLS then',
    )
  }
  return {
    port: values.SERVICE_PORT,
    agentPort: values.SERVICE_AGENT_PORT,
    baseUrl,
    feedsUrl,
    agentEndpoint: values.SERVICE_AGENT_ENDPOINT,
    sourceOf: values.SERVICE_TRUSTED_PROXIES,
    outboundAllow: values.SERVICE_OUTBOUND_ALLOW,
  }
}
