import { type Dialer, openOutbound } from '../../adapters/net/outbound.ts'
import { parseOutboundRules } from '../../functions/core/net/outbound-rules.ts'

/** The way out of a service whose configuration lets it reach what a test listens with on this machine. */
export const loopbackDialer = (): Dialer => openOutbound(parseOutboundRules('127.0.0.1 [::1]'))
