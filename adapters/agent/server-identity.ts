import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { agentProtocol } from '../../functions/core/records/agent-protocol.ts'

const serverUsage = '1.3.6.1.5.5.7.3.1'
/** The findings of TLS that depend on the clock of this machine. */
const clockFindings = ['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']

/** Returns whether an error of TLS may be due to the clock of this machine. */
export const isClockFinding = (code: string | undefined) => clockFindings.includes(code ?? '')

/**
 * Returns why the peer of a connection is not the service that this host belongs to, or undefined
 * if it is. The peer has a certificate for servers and for the service's name, signed with the key
 * of `authority` (PEM). Its dates are ignored: the clock of this machine may be wrong, and without
 * a battery it starts in 1970. The service keeps the key of its certificate only in memory, so no
 * keys of expired certificates can be stolen.
 */
export function problemWithServer(socket: TLSSocket, authority: string): string | undefined {
  if (socket.alpnProtocol !== agentProtocol.alpn) return 'the server does not accept agents'
  const finding = `${socket.authorizationError ?? ''}`
  if (!socket.authorized && !isClockFinding(finding)) {
    return `the server is not the service that this host belongs to (${finding})`
  }
  // TLS reports only one finding, so an ignored one can hide another.
  const certificate = socket.getPeerX509Certificate()
  if (certificate && isOfService(certificate, new X509Certificate(authority))) return undefined
  return 'the server is not the service that this host belongs to'
}

function isOfService(certificate: X509Certificate, authority: X509Certificate): boolean {
  const { keyUsage } = certificate as { keyUsage?: string[] }
  return (
    certificate.checkIssued(authority) &&
    certificate.verify(authority.publicKey) &&
    certificate.checkHost(agentProtocol.serverName, { subject: 'never' }) !== undefined &&
    keyUsage?.includes(serverUsage) === true
  )
}
