import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { findOrCreate, type KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { OnRequest, PeerSecrets } from '../../sidecar/agents/internal.ts'
import { type Reach, reachAgents } from '../../sidecar/agents/reach.ts'
import { type AgentService, serveAgents } from '../../sidecar/agents/serve.ts'
import type { Config } from '../config/config.ts'
import type { OpenAuthority } from '../keys/authority.ts'

/** The default port for agents. */
export const usualPort = 8443

/** The agents of a process. */
export interface Agents {
  /** Reaches an agent through the process that it is connected to. */
  readonly reach: Reach
  /**
   * Starts listening for agents. Returns the port, or undefined if none was configured and another
   * process has the default one; its agents are then reached through it. Rejects if a configured
   * port is not available. `onRequest` takes the requests that functions pass on.
   */
  listen(onRequest?: OnRequest): Promise<number | undefined>
  /** Returns what this process needs to connect to another one. */
  peerSecrets(): Promise<PeerSecrets>
  /** Returns the port that it listens on, or undefined. */
  port(): number | undefined
  close(): Promise<void>
}

/**
 * Opens the agents of this process. `ports.hosts` must not be cached, so that a revoked agent is
 * refused at once.
 */
export async function openAgents(
  config: Config,
  processId: string,
  ports: Needs<'audit' | 'hosts' | 'hostConnections' | 'clock' | 'log' | 'random' | 'reminders'> & {
    authority: OpenAuthority
    keys: KeyStore
  },
): Promise<Agents> {
  const made = () => randomBytes(32).toString('base64url')
  const secret =
    config.internal.secret ?? (await findOrCreate(ports.keys, 'internal-secret', made)).text.trim()
  let service: AgentService | undefined
  return {
    reach: reachAgents({ find: (hostId) => service?.hub.find(hostId) }, secret, ports),
    peerSecrets: async () => ({ ca: await ports.authority.certificate(), secret }),
    async listen(onRequest) {
      const options = {
        processId,
        onRequest,
        port: config.agentPort ?? usualPort,
        internal: { ...internalOf(config), secret },
        serverIdentity: () => ports.authority.serverIdentity(),
      }
      try {
        service = await serveAgents(options, ports)
        return service.port
      } catch (error) {
        const { code, port } = error as NodeJS.ErrnoException & { port?: number }
        const isTaken = code === 'EADDRINUSE' && port === usualPort
        if (config.agentPort !== undefined || !isTaken) throw error
        ports.log.warn('agents cannot connect to this process: the port is in use', { port })
        return undefined
      }
    },
    port: () => service?.port,
    close: async () => service?.close(),
  }
}

/**
 * Returns the internal address. A configured port is reachable from other machines; without one,
 * only processes of this machine find each other.
 */
function internalOf({ internal: { port, address } }: Config) {
  if (port === undefined) return { port: 0, host: '127.0.0.1', address }
  return { port, address: address ?? `${hostname()}:${port}` }
}
