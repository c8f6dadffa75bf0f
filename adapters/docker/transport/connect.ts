import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Transport } from './transport.ts'

/**
 * Returns the transport that the `docker` command would use with this environment: DOCKER_HOST
 * (`unix://`, `tcp://`), DOCKER_TLS_VERIFY and DOCKER_CERT_PATH. By default it is the standard
 * socket. Throws for any other scheme.
 */
export function transportFrom(environment: NodeJS.ProcessEnv): Transport {
  const address = environment.DOCKER_HOST ?? ''
  if (address === '') return { socketPath: '/var/run/docker.sock' }
  if (address.startsWith('unix://')) {
    return { socketPath: address.slice('unix://'.length) || '/var/run/docker.sock' }
  }
  const url = URL.canParse(address) ? new URL(address) : undefined
  const schemes = ['tcp:', 'http:', 'https:']
  if (!url?.hostname || !schemes.includes(url.protocol)) {
    throw new Error(`DOCKER_HOST: ${address} is neither unix:///path nor tcp://host:port`)
  }
  const secure = url.protocol === 'https:' || Boolean(environment.DOCKER_TLS_VERIFY)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // URL omits the default port of its scheme.
  const port =
    Number(url.port) || { 'https:': 443, 'http:': 80 }[url.protocol] || (secure ? 2376 : 2375)
  if (!secure) return { host, port }
  return { host, port, tls: certificates(environment.DOCKER_CERT_PATH) }
}

function certificates(directory: string | undefined) {
  if (!directory) return {}
  const read = (name: string) => readFileSync(join(directory, name))
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}
