import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Host } from '../records/host.ts'

/** A certificate as a connection presented it. The serial number is in uppercase hex. */
export interface PresentedCertificate {
  hostId: string
  serial: string
}

/**
 * Admits an agent if the certificate is the current one of its host, or returns the reason why not.
 * The first use of a renewed certificate invalidates the previous one.
 */
export async function admitAgent(
  { hostId, serial }: PresentedCertificate,
  { hosts }: Needs<'hosts'>,
): Promise<{ host: Host } | { refused: string }> {
  for (let tries = 0; tries < 3; tries += 1) {
    const host = await hosts.find(hostId)
    if (!host?.agent) return { refused: 'there is no such host' }
    if (host.agent.state === 'revoked') return { refused: 'the host was revoked' }
    if (host.agent.serial === serial) return { host }
    if (host.agent.nextSerial !== serial) return { refused: 'the certificate was replaced' }
    const next: Stored<Host> = {
      ...host,
      agent: { ...host.agent, serial, nextSerial: null },
    }
    if (await hosts.replace(next)) return { host: next }
  }
  return { refused: 'the host is being changed by another request: try again' }
}

/** Returns whether a connection that was admitted with this certificate may stay open. */
export function isCertificateCurrent(host: Host | undefined, serial: string): boolean {
  const agent = host?.agent
  return agent?.state === 'enrolled' && (agent.serial === serial || agent.nextSerial === serial)
}
