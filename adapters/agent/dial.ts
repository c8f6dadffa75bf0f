import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { agentProtocol } from '../../functions/core/hosts/agent-protocol.ts'
import type { Credentials } from './credentials.ts'

const dialTime = 15_000

/** A connection to the service at one of its addresses, both sides known to each other. Rejects with the reason. */
export function dial(address: string, credentials: Credentials): Promise<TLSSocket> {
  const { host, port } = addressOf(address)
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ca: credentials.ca,
      cert: credentials.certificate,
      key: credentials.key,
      minVersion: 'TLSv1.3',
      ALPNProtocols: [agentProtocol.alpn],
      servername: agentProtocol.serverName,
    })
    socket.setKeepAlive(true, 10_000)
    socket.setNoDelay(true)
    const timer = setTimeout(() => {
      socket.destroy(new Error(`${address}: no answer within ${dialTime / 1000} s`))
    }, dialTime)
    socket.once('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new Error(`${address}: the connection was closed`))
    })
    socket.once('secureConnect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      if (socket.alpnProtocol === agentProtocol.alpn) return resolve(socket)
      socket.destroy()
      reject(new Error(`${address}: what answers there is not a service for agents`))
    })
  })
}

/** `host:port`, `[v6]:port` or a host alone, for port 8443. Throws for anything else, by name. */
export function addressOf(address: string): { host: string; port: number } {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:\s[\]]+))(?::(\d{1,5}))?$/i.exec(address.trim())
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3] ?? 8443)
  if (!host || port < 1 || port > 65_535 || (match?.[1] && !isIP(match[1]))) {
    throw new Error(`${address}: host:port is expected`)
  }
  return { host, port }
}
