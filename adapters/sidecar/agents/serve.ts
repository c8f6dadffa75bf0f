import { ignoreError } from '../../../functions/core/ignore-error.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import { type AgentHub, agentHub } from './hub.ts'
import { isAliveAtPeer, listenForPeers, type OnRequest } from './internal.ts'
import { listenForAgents, type ServerIdentity } from './listener.ts'

/** The part of a process that agents connect to. */
export interface AgentService {
  readonly hub: AgentHub
  /** The port of the listener for agents. */
  readonly port: number
  close(): Promise<void>
}

const day = 24 * 60 * 60 * 1000

/**
 * Listens for agents, and for other processes that want to reach them. `ports.hosts` must not be
 * cached. Rejects if a port is not available.
 */
export async function serveAgents(
  options: {
    processId: string
    port: number
    host?: string
    internal: { port: number; host?: string; secret: string; address?: string }
    serverIdentity(): Promise<ServerIdentity>
    onRequest?: OnRequest | undefined
  },
  ports: Needs<
    'audit' | 'hosts' | 'hostConnections' | 'authority' | 'clock' | 'log' | 'random' | 'reminders'
  >,
): Promise<AgentService> {
  const { internal, onRequest } = options
  const identity = await options.serverIdentity()
  let hub: AgentHub | undefined
  const find = (hostId: string) => hub?.find(hostId)
  const peers = await listenForPeers({ ...internal, identity, hub: { find }, onRequest })
  const address = internal.address ?? `127.0.0.1:${peers.port}`
  const isAliveAt = (peer: string, hostId: string) =>
    isAliveAtPeer(peer, hostId, { ca: identity.ca, secret: internal.secret })
  hub = agentHub({ id: options.processId, address, isAliveAt }, ports)
  const { admit } = hub
  const { port, host } = options
  const listener = await listenForAgents({ identity, port, host, log: ports.log, admit }).catch(
    async (error) => {
      await Promise.all([peers.close(), hub?.close()])
      throw error
    },
  )
  // The server certificate is valid for a year; a process that runs that long replaces it in time.
  const fresh = setInterval(() => {
    options
      .serverIdentity()
      .then(listener.replaceIdentity, ignoreError('replace the server certificate'))
  }, 20 * day)
  fresh.unref()
  return {
    hub,
    port: listener.port,
    async close() {
      clearInterval(fresh)
      // All at once: agents reconnect within half a second, and no listener must accept them then.
      await Promise.all([hub.close(), listener.close(), peers.close()])
    },
  }
}
