import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineAddress } from '../../../functions/core/hosts/engine-address.ts'
import type { Transport } from './transport.ts'

/**
 * Returns the transport to the Engine of `engineAddress`, with the certificates of
 * DOCKER_CERT_PATH. Throws for an address with any other scheme.
 */
export function transportFrom(environment: NodeJS.ProcessEnv): Transport {
  const address = engineAddress(environment)
  if ('socketPath' in address) return address
  const { host, port, secure } = address
  if (!secure) return { host, port }
  return { host, port, tls: certificates(environment.DOCKER_CERT_PATH) }
}

function certificates(directory: string | undefined) {
  if (!directory) return {}
  const read = (name: string) => readFileSync(join(directory, name))
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}
