import { type Dialer, openOutbound } from '../../adapters/net/outbound.ts'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'

/** Returns the dialer of a service whose outbound policy allows the loopback servers of tests. */
export const loopbackDialer = (): Dialer => openOutbound(parseOutboundRules('127.0.0.1 [::1]'))
