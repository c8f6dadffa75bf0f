import { normalizePath } from '../load/paths.ts'
import type { FileObject, NetworkConfig, VolumeConfig } from '../project.ts'
import type { Path } from '../yaml/tree.ts'
import { networkOptionsBeyond, volumeOptionBeyond } from './driver-options.ts'
import type { Finding } from './policy.ts'

/** True for a directory itself and what is below it, by the path's text alone: no link is followed. */
export function isInside(directory: string, path: string): boolean {
  if (!path.startsWith('/')) return false
  const base = normalizePath(directory)
  const full = normalizePath(path)
  return full === base || full.startsWith(base === '/' ? '/' : `${base}/`)
}

/** What is said of a path that is not inside. */
export const outside = (path: string) => `${path} lies outside of the stack's directory`

/** What the Engine takes for a name. Anything else it might take for a path, a mode or a container. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/

/** True for the name of a network that is one: not the host's own, not another container's. */
export const isOwnNetwork = (name: string) =>
  plainName.test(name) && name !== 'host' && !networkId.test(name)

/** The Engine looks for a network with that ID before it looks at names. */
const networkId = /^[0-9a-f]{64}$/

/** Networks of the host itself, under whatever key. */
export function* networkReach(network: NetworkConfig, path: Path): Generator<Finding> {
  if (!isOwnNetwork(network.name)) {
    yield { path: [...path, 'name'], detail: `${network.name} is a network of the host` }
  }
  if (network.driver && !ownDrivers.has(network.driver)) {
    const detail = `networks of the driver ${network.driver} are on the host's interfaces`
    yield { path: [...path, 'driver'], detail }
  }
  for (const key of networkOptionsBeyond(network.driver_opts ?? {})) {
    yield { path: [...path, 'driver_opts', key], detail: `the network option ${key}` }
  }
}

const ownDrivers = new Set(['default', 'bridge', 'overlay', 'null', 'none'])

/** Volumes that are directories or devices of the host in truth. */
export function* volumeReach(volume: VolumeConfig, path: Path): Generator<Finding> {
  if (!plainName.test(volume.name)) {
    yield { path: [...path, 'name'], detail: `${volume.name} is not the name of a volume` }
  }
  const { driver = 'local', driver_opts: options = {} } = volume
  if (driver !== 'local') {
    yield { path: [...path, 'driver'], detail: `the volume driver ${driver}` }
    return
  }
  const key = volumeOptionBeyond(options)
  if (key) yield { path: [...path, 'driver_opts', key], detail: `the volume option ${key}` }
}

/** A secret or config that is a file elsewhere on the host. */
export function* fileReach(object: FileObject, path: Path, directory: string): Generator<Finding> {
  if (object.file !== undefined && !isInside(directory, object.file)) {
    yield { path: [...path, 'file'], detail: outside(object.file) }
  }
}
