import { makeAuthority, parseAuthority } from '../../adapters/node/keys/certificates.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'

/** Returns a key and a certificate for a server, of an authority that no client trusts. */
export async function serverCertificate(): Promise<{ key: string; cert: string }> {
  const authority = await parseAuthority(await makeAuthority(systemClock), systemClock)
  const { key, certificate: cert } = await authority.certifyServer()
  return { key, cert }
}
