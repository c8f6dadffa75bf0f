import { join } from 'node:path'
import type { Authority } from '../../functions/core/hosts/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import type { Keeper } from './certificates.ts'
import { readOrMakePrivate, readPrivate } from './private-file.ts'

/** The authority with what only the listener for agents may have. */
export interface OpenAuthority extends Authority {
  /** A key of its own with a certificate for the listener, good for a year. PEM. */
  serverIdentity(): Promise<{ key: string; certificate: string; ca: string }>
}

/**
 * The authority that certifies agents: a P-256 key and a certificate in one file of mode 0400 in the data directory, made
 * at the first need and shared by all processes of it.
 */
export function fileAuthority(dataDirectory: string, clock: Clock): OpenAuthority {
  let opened: Promise<Keeper> | undefined
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

/** What makes certificates is loaded at the first need: it takes a tenth of a second. */
async function openKeeper(path: string, clock: Clock): Promise<Keeper> {
  const { makeAuthority, keeper } = await import('./certificates.ts')
  const found = await readPrivate(path)
  if (found !== undefined) return keeper(found, clock)
  const made = await makeAuthority(clock)
  return keeper(await readOrMakePrivate(path, () => made, 0o400), clock)
}
