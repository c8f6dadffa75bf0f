import type { TcpSocketConnectOpts } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { addressText, type EndpointAddress } from '../../functions/core/hosts/endpoint.ts'
import { agentProtocol } from '../../functions/core/records/agent-protocol.ts'
import type { Credentials } from './credentials.ts'
import { problemWithServer } from './server-identity.ts'

/** Milliseconds to connect. */
const dialTime = 10_000
/** An option that `connect` passes on to the TCP connection, but that its types lack. */
type TcpTimes = Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'>

/** Milliseconds before the next address of a host name is tried. */
const addressTime = 2_500

/**
 * Opens a mutually authenticated connection to one address of the service. Rejects with the reason.
 */
export function dial(
  { host, port }: EndpointAddress,
  credentials: Credentials,
): Promise<TLSSocket> {
  const address = addressText({ host, port })
  return new Promise((resolve, reject) => {
    const options: ConnectionOptions & TcpTimes = {
      host,
      port,
      autoSelectFamilyAttemptTimeout: addressTime,
      ca: credentials.ca,
      cert: credentials.certificate,
      key: credentials.key,
      // Checked directly after the handshake, without the clock of this machine.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
      ALPNProtocols: [agentProtocol.alpn],
      servername: agentProtocol.serverName,
    }
    const socket = connect(options)
    socket.setKeepAlive(true, 10_000)
    socket.setNoDelay(true)
    const timer = setTimeout(() => {
      socket.destroy(new Error(`${address}: no response within ${dialTime / 1000} s`))
    }, dialTime)
    // Never removed: the connection can be reset before the caller adds a listener.
    socket.on('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new Error(`${address}: the connection was closed`))
    })
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      const problem = problemWithServer(socket, credentials.ca)
      if (problem === undefined) return resolve(socket)
      socket.destroy()
      reject(new Error(`${address}: ${problem}`))
    })
  })
}
