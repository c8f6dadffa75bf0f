import type { Socket } from 'node:net'
import { internalError } from '../../../functions/core/errors.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { Reachable } from './connection.ts'
import type { AgentHub } from './hub.ts'
import { dialPeer } from './internal.ts'

/**
 * Opens a byte stream to the Docker socket of a host with an agent, or to another target there.
 * Rejects with a 500 that says why it cannot.
 */
export type Reach = (hostId: string, what?: Reachable) => Promise<Socket>

/**
 * Returns a function that reaches agents connected to this process (`hub`, if it has one) or to the
 * process that the host's connection names.
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
      throw internalError('its agent is offline', { reason: 'host-offline' })
    }
    const ca = await ports.authority.certificate()
    return dialPeer(connection.address, hostId, { ca, secret, what })
  }
}
