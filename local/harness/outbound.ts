import { type Dialer, openOutbound } from '../../adapters/net/outbound.ts'
import { type OutboundAnswer, outboundRequest } from '../../adapters/net/request.ts'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'

/** Returns the dialer of a service whose outbound policy allows the loopback servers of tests. */
export const loopbackDialer = (): Dialer => openOutbound(parseOutboundRules('127.0.0.1 [::1]'))

/** Sends a GET request under the outbound policy. */
export const getOutbound = (
  dialer: Dialer,
  url: string,
  more: { timeout?: number; largest?: number } = {},
): Promise<OutboundAnswer> =>
  outboundRequest(dialer, {
    url: new URL(url),
    method: 'GET',
    headers: {},
    timeout: 5000,
    largest: 1000,
    ...more,
  })
