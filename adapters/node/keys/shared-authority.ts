import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Config } from '../config/config.ts'
import { authorityFile, hasAuthority, type OpenAuthority } from './authority.ts'

/** The name of the authority's certificate in the key store. Its private key is never there. */
export const certificateName = 'agent-authority.crt'

/**
 * Returns the authority of this process with the certificate from the key store, if it has one.
 * That is all a process without agents needs to reach the processes that have them.
 */
export function withSharedCertificate(own: OpenAuthority, keys: KeyStore): OpenAuthority {
  let shared: string | undefined
  return {
    ...own,
    async certificate() {
      shared ??= (await keys.find(certificateName))?.text
      return shared ?? own.certificate()
    },
  }
}

/**
 * Shares the certificate of this process through the key store; a process that agents connect to
 * creates the authority if there is none. `replace`: the former authority is lost, and a new one
 * takes its place. Does nothing where the keys are files.
 *
 * Returns why this process must not run with its authority, or undefined.
 */
export async function shareAuthority(
  own: Pick<OpenAuthority, 'certificate'>,
  config: Config,
  keys: KeyStore,
  replace: boolean,
): Promise<string | undefined> {
  if (keys.kind === 'file') return undefined
  const hadFile = hasAuthority(config)
  const takesAgents = config.role !== 'api'
  if (!hadFile && !takesAgents) return undefined
  const shared = await keys.find(certificateName)
  if (!hadFile && shared && !replace) return missing
  const certificate = await own.certificate()
  if (!hadFile && shared) await keys.replace(certificateName, certificate, shared.version)
  if (takesAgents) await keys.create(certificateName, certificate)
  const winner = (await keys.find(certificateName))?.text ?? certificate
  if (winner === certificate) return undefined
  if (hadFile) return different
  // Another process created one at the same moment. Nothing was certified with this one.
  await rm(join(config.dataDirectory, authorityFile))
  return missing
}

const copy = `Copy it from the data directory of the process with SERVICE_ROLE all or sidecar that agents connect to`
const orNew = 'start once with --accept-lost-keys: every agent must then enrol again'
const missing = `${authorityFile}: it is missing, and another process has the authority for agents. ${copy}, or set SERVICE_ROLE=api. If it is lost, ${orNew}`
const different = `${authorityFile}: it is not the authority for agents of this installation. ${copy}, in place of this one. If that is lost, remove this one and ${orNew}`
