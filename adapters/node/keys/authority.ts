import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { conflict } from '../../../functions/core/errors.ts'
import type { Authority } from '../../../functions/core/ports/authority.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Config } from '../config/config.ts'
import type { CertificateIssuer } from './certificates.ts'
import { readOrCreatePrivate, readPrivate } from './private-file.ts'

/** The authority, including what only the listener for agents may use. */
export interface OpenAuthority extends Authority {
  /** Returns a new key and a certificate for the listener, valid for a year. PEM. */
  serverIdentity(): Promise<{ key: string; certificate: string; ca: string }>
}

/** The name of the file with the authority's private key and certificate. */
export const authorityFile = 'agent-authority.pem'

/** Returns whether the data directory has the authority. */
export const hasAuthority = ({ dataDirectory }: Pick<Config, 'dataDirectory'>): boolean =>
  existsSync(join(dataDirectory, authorityFile))

/**
 * Returns whether this process may create the authority. A process without agents that shares only
 * the keys in the store may not: its authority would not be that of the sidecar.
 */
export const mayCreateAuthority = ({ role, keyPlace }: Pick<Config, 'role' | 'keyPlace'>) =>
  role !== 'api' || keyPlace === 'files'

/**
 * Returns the authority that certifies agents. Its P-256 key and certificate are in a file with
 * mode 0400 in the data directory, which all processes with that directory share. It is created on
 * first use if `canCreate`. Its key is never in the store: whoever can act as the service towards
 * agents controls their hosts.
 */
export function fileAuthority(
  dataDirectory: string,
  clock: Clock,
  canCreate = true,
): OpenAuthority {
  const path = join(dataDirectory, authorityFile)
  let opened: Promise<CertificateIssuer> | undefined
  const open = () => {
    opened ??= openKeeper(path, clock, canCreate).catch((error) => {
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

/**
 * Loads the code for certificates on first use, because that takes a tenth of a second.
 *
 * @throws 409 if there is no authority here and this process may not create it
 */
async function openKeeper(
  path: string,
  clock: Clock,
  canCreate: boolean,
): Promise<CertificateIssuer> {
  const { makeAuthority, parseAuthority } = await import('./certificates.ts')
  const found = await readPrivate(path)
  if (found !== undefined) return parseAuthority(found, clock)
  if (!canCreate) {
    throw conflict(
      `this process has no authority for agents: copy ${authorityFile} from the process with SERVICE_ROLE all or sidecar into its data directory`,
    )
  }
  const made = await makeAuthority(clock)
  return parseAuthority(await readOrCreatePrivate(path, () => made, 0o400), clock)
}
