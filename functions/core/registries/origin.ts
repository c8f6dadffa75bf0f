import { dockerHub } from '../../compose/reference/registry-address.ts'

/** The host of the API of Docker Hub. */
const hubHost = 'registry-1.docker.io'

/**
 * Returns the origin of the API of a registry. It is reached by HTTPS, except on loopback, where it
 * is HTTP as for the Engine.
 */
export function registryOrigin(registry: string): URL {
  if (registry === dockerHub) return new URL(`https://${hubHost}`)
  const { hostname } = new URL(`https://${registry}`)
  return new URL(`${isLoopback(hostname) ? 'http' : 'https'}://${registry}`)
}

/** Returns whether a host of a URL is this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Returns the port of a URL. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
