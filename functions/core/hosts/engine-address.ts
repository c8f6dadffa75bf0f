import { parseUrl } from '../url.ts'

/** Where a Docker Engine listens. */
export type EngineAddress = { socketPath: string } | { host: string; port: number; secure: boolean }

/**
 * Returns the Engine that the `docker` command would use with this environment: DOCKER_HOST
 * (`unix://`, `tcp://`) and DOCKER_TLS_VERIFY. By default it is the standard socket.
 *
 * @throws `Error` that names the address if it has another scheme, such as `ssh://`
 */
export function engineAddress(environment: Readonly<Record<string, string | undefined>>) {
  return parse(environment.DOCKER_HOST ?? '', Boolean(environment.DOCKER_TLS_VERIFY))
}

function parse(address: string, verifies: boolean): EngineAddress {
  if (address === '') return { socketPath: '/var/run/docker.sock' }
  if (address.startsWith('unix://')) {
    return { socketPath: address.slice('unix://'.length) || '/var/run/docker.sock' }
  }
  const url = parseUrl(address)
  const schemes = ['tcp:', 'http:', 'https:']
  if (!url?.hostname || !schemes.includes(url.protocol)) {
    throw new Error(`DOCKER_HOST: ${address} is neither unix:///path nor tcp://host:port`)
  }
  const secure = url.protocol === 'https:' || verifies
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // URL omits the default port of its scheme.
  const port =
    Number(url.port) || { 'https:': 443, 'http:': 80 }[url.protocol] || (secure ? 2376 : 2375)
  return { host, port, secure }
}
