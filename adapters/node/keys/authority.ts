import { join } from 'node:path'
import type { Authority } from '../../../functions/core/ports/authority.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { CertificateIssuer } from './certificates.ts'
import { readOrCreatePrivate, readPrivate } from './private-file.ts'

/** The authority, including what only the listener for agents may use. */
export interface OpenAuthority extends Authority {
  /** Returns a new key and a certificate for the listener, valid for a year. PEM. */
  serverIdentity(): Promise<{ key: string; certificate: string; ca: string }>
}

/**
 * Returns the authority that certifies agents. Its P-256 key and certificate are in a file with
 * mode 0400 in the data directory, which is created on first use and shared by all processes.
 */
export function fileAuthority(dataDirectory: string, clock: Clock): OpenAuthority {
  let opened: Promise<CertificateIssuer> | undefined
  const open = () => {
    opened ??= openKeeper(join(dataDirectory, 'agent-authority.pem'), clock).catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    certificate: async () => (await open()).pem,
    fingerprint: async () => (await open()).fingerprint,
    sign: async (request, hostId) => (await open()).certifyAgent(request, hostId),
    serverIdentity: async () => (await open()).certifyServer(),
  }
}

/** Loads the code for certificates on first use, because that takes a tenth of a second. */
async function openKeeper(path: string, clock: Clock): Promise<CertificateIssuer> {
  const { makeAuthority, parseAuthority } = await import('./certificates.ts')
  const found = await readPrivate(path)
  if (found !== undefined) return parseAuthority(found, clock)
  const made = await makeAuthority(clock)
  return parseAuthority(await readOrCreatePrivate(path, () => made, 0o400), clock)
}
