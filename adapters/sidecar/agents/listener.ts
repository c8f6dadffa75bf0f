import { X509Certificate } from 'node:crypto'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { PresentedCertificate } from '../../../functions/core/hosts/admit.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import { portLimits } from './port-limits.ts'
import { refuse } from './refuse.ts'

/** The listener's certificate and the authority that it trusts. PEM. */
export interface ServerIdentity {
  key: string
  certificate: string
  /** The authority. Only its certificates are accepted. */
  ca: string
}

/** The listener for agents. */
export interface AgentListener {
  readonly port: number
  /** Uses another certificate for new connections. */
  replaceIdentity(identity: ServerIdentity): void
  close(): Promise<void>
}

const clientUsage = '1.3.6.1.5.5.7.3.2'

/**
 * Listens for agents: TLS 1.3, a client certificate of the authority, and the agents' ALPN
 * protocol. Other connections end during or directly after the handshake. `admit` takes over a
 * connection or destroys it.
 */
export async function listenForAgents(options: {
  identity: ServerIdentity
  port: number
  host?: string
  log: Log
  admit(presented: PresentedCertificate, socket: TLSSocket): Promise<void>
}): Promise<AgentListener> {
  const { log } = options
  let ca = new X509Certificate(options.identity.ca)
  // Includes sockets in their handshake: it must not outlive the listener.
  const sockets = new Set<Socket>()
  const server = createServer({
    ...contextOf(options.identity),
    requestCert: true,
    // Checked directly after the handshake: during it, Node does not report what is wrong.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.3',
    handshakeTimeout: portLimits.handshake,
    ALPNProtocols: [agentProtocol.alpn],
  })
  server.maxConnections = portLimits.connections
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {})
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', (error, socket) => {
    log.info('an agent was rejected', {
      reason: (error as NodeJS.ErrnoException).code ?? error.message,
      from: socket.remoteAddress,
    })
  })
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {})
    const presented = judged(socket, ca)
    if ('refused' in presented) {
      const { refused: reason, hostId: host } = presented
      log.info('an agent was rejected', { reason, host, from: socket.remoteAddress })
      return host ? refuse(socket, reason) : socket.destroy()
    }
    options.admit(presented, socket).catch((error) => {
      log.warn('an agent could not be admitted', {
        host: presented.hostId,
        error: `${error.message}`,
      })
      socket.destroy()
    })
  })
  await listening(server, options.port, options.host)
  // The kernel can fail to accept one connection, for example for lack of memory; later ones may
  // succeed.
  server.on('error', (error) => log.warn('a connection could not be accepted', { error }))
  return {
    port: (server.address() as AddressInfo).port,
    replaceIdentity(identity) {
      ca = new X509Certificate(identity.ca)
      server.setSecureContext(contextOf(identity))
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const contextOf = ({ key, certificate, ca }: ServerIdentity) => ({ key, cert: certificate, ca })

/**
 * Returns the result of `presentedBy`, or a refusal if Node cannot read or verify the certificate.
 */
function judged(socket: TLSSocket, ca: X509Certificate): ReturnType<typeof presentedBy> {
  try {
    return presentedBy(socket, ca)
  } catch {
    return { refused: 'its certificate cannot be read' }
  }
}

/**
 * Returns the host of a connection, or the problem with its certificate. The problem includes the
 * host id if the certificate is one of ours.
 */
function presentedBy(
  socket: TLSSocket,
  ca: X509Certificate,
): PresentedCertificate | { refused: string; hostId?: string } {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) return { refused: 'no certificate' }
  const hostId = /^CN=([A-Za-z0-9._-]{1,128})$/.exec(certificate.subject)?.[1]
  const problem = timeProblem(certificate)
  if (problem && certificate.verify(ca.publicKey)) return { refused: problem, hostId }
  if (!socket.authorized) return { refused: 'the certificate is not from this service' }
  if (socket.alpnProtocol !== agentProtocol.alpn) {
    return { refused: 'it does not speak the agent protocol' }
  }
  if (certificate.ca) return { refused: 'the certificate is an authority' }
  const usage = (certificate as { keyUsage?: string[] }).keyUsage
  if (!usage?.includes(clientUsage)) return { refused: 'the certificate is not for clients' }
  if (!hostId) return { refused: 'the certificate names no host' }
  return { hostId, serial: certificate.serialNumber }
}

function timeProblem({ validFrom, validTo }: X509Certificate): string | undefined {
  if (Date.parse(validTo) < Date.now()) {
    return `the certificate expired at ${validTo}: enrol this host again`
  }
  return Date.parse(validFrom) > Date.now()
    ? `the certificate is not valid before ${validFrom}`
    : undefined
}

function listening(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
