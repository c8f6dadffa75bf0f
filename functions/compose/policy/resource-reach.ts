import { normalizePath } from '../paths.ts'
import type { FileObject, NetworkConfig, VolumeConfig } from '../project.ts'
import type { Path } from '../yaml/tree.ts'
import { disallowedNetworkOptions, disallowedVolumeOption } from './driver-options.ts'
import type { Finding } from './finding.ts'

/**
 * Returns whether a path is the directory or below it. Compares the texts only and follows no
 * links.
 */
export function isInside(directory: string, path: string): boolean {
  if (!path.startsWith('/')) return false
  const base = normalizePath(directory)
  const full = normalizePath(path)
  return full === base || full.startsWith(base === '/' ? '/' : `${base}/`)
}

/** Returns the message for a path outside the stack's directory. */
export const outside = (path: string) => `${path} lies outside of the stack's directory`

/**
 * A name that the Engine accepts. Other texts can mean a path, a mode or a container to it.
 */
const plainName = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/

/**
 * Returns whether a network name refers to an ordinary network rather than the host's or another
 * container's.
 */
export const isOrdinaryNetwork = (name: string) =>
  plainName.test(name) && name !== 'host' && !networkId.test(name)

/** The Engine looks up networks by ID before it looks them up by name. */
const networkId = /^[0-9a-f]{64}$/

/** Yields networks that belong to the host. */
export function* networkReach(network: NetworkConfig, path: Path): Generator<Finding> {
  if (!isOrdinaryNetwork(network.name)) {
    yield { path: [...path, 'name'], detail: `${network.name} is a network of the host` }
  }
  if (network.driver && !allowedDrivers.has(network.driver)) {
    const detail = `networks of the driver ${network.driver} are on the host's interfaces`
    yield { path: [...path, 'driver'], detail }
  }
  for (const key of disallowedNetworkOptions(network.driver_opts ?? {})) {
    yield { path: [...path, 'driver_opts', key], detail: `the network option ${key}` }
  }
}

const allowedDrivers = new Set(['default', 'bridge', 'overlay', 'null', 'none'])

/** Yields volumes that are really directories or devices of the host. */
export function* volumeReach(volume: VolumeConfig, path: Path): Generator<Finding> {
  if (!plainName.test(volume.name)) {
    yield { path: [...path, 'name'], detail: `${volume.name} is not the name of a volume` }
  }
  const { driver = 'local', driver_opts: options = {} } = volume
  if (driver !== 'local') {
    yield { path: [...path, 'driver'], detail: `the volume driver ${driver}` }
    return
  }
  const key = disallowedVolumeOption(options)
  if (key) yield { path: [...path, 'driver_opts', key], detail: `the volume option ${key}` }
}

/** Yields a secret or config whose file is outside the stack's directory. */
export function* fileReach(object: FileObject, path: Path, directory: string): Generator<Finding> {
  if (object.file !== undefined && !isInside(directory, object.file)) {
    yield { path: [...path, 'file'], detail: outside(object.file) }
  }
}
