import type { Socket } from 'node:net'
import { broken } from '../../../functions/core/errors.ts'
import type { Needs } from '../../../functions/core/ports.ts'
import type { Reachable } from './connection.ts'
import type { AgentHub } from './hub.ts'
import { dialPeer } from './internal.ts'

/** Opens a byte stream to the Docker socket of a host with an agent, or to something else there. Rejects with a `Failure` 500 that says why it cannot. */
export type Reach = (hostId: string, what?: Reachable) => Promise<Socket>

/**
 * The way to agents, wherever they are connected: to this process (`hub`, when it has any), or through the one that the
 * host's connection names.
 */
export function reachAgents(
  hub: Pick<AgentHub, 'find'> | undefined,
  secret: string,
  ports: Needs<'hostConnections' | 'authority'>,
): Reach {
  return async (hostId, what) => {
    const own = hub?.find(hostId)
    if (own) return own.open(what)
    const connection = await ports.hostConnections.find(hostId)
    if (!connection || connection.endedAt !== null) {
      throw broken('its agent is offline')
    }
    const ca = await ports.authority.certificate()
    return dialPeer(connection.address, hostId, { ca, secret, what })
  }
}
