import { hostname, networkInterfaces } from 'node:os'
import type {
  OwnContainerId,
  ServiceProcess,
  StoreAddress,
} from '../../../functions/core/records/installation.ts'
import { findOwnContainer } from '../../agent/own-container-id.ts'
import type { Config } from '../config/config.ts'

/** Returns how this process registers where it runs. Its Engine is not known yet. */
export function thisProcess(
  { dataDirectory, store }: Pick<Config, 'dataDirectory' | 'store'>,
  container: OwnContainerId = findOwnContainer(),
): ServiceProcess {
  const isKnown = container !== 'none' && container !== 'unknown'
  const machine = hostname()
  return {
    id: isKnown ? container : `${machine}:${dataDirectory}`,
    container,
    machine,
    dataDirectory,
    engineId: null,
    store: store.kind === 'dynamodb' && store.endpoint ? storeAddress(store.endpoint) : null,
  }
}

/** Returns the host and port of an address of a store. */
export function storeAddress(endpoint: string): StoreAddress {
  const { hostname: named, port, protocol } = new URL(endpoint)
  const host = named.replace(/^\[(.*)\]$/, '$1')
  const usual = protocol === 'https:' ? 443 : 80
  return { host, port: Number(port) || usual, isLocal: isOwn(host) }
}

function isOwn(host: string): boolean {
  if (/^(?:localhost|127\.[\d.]+|::1)$/i.test(host)) return true
  if (host.toLowerCase() === hostname().toLowerCase()) return true
  const interfaces = Object.values(networkInterfaces()).flatMap((some) => some ?? [])
  return interfaces.some(({ address }) => address === host)
}
