import { disallowedVolumeOption } from '../../compose/policy/driver-options.ts'
import { type HostDirectories, pathDegree } from './host-paths.ts'
import type { Reached } from './reached.ts'

/** What is known about a volume that a container mounts. */
export interface KnownVolume {
  /** The options of its driver. */
  options: Readonly<Record<string, string>>
  /** It belongs to the stack or project of the container, or to the container itself. */
  isOwn: boolean
  /** It belongs to the service itself, with its keys and records. */
  isInstallation?: boolean
}

/** A mount of a volume. */
interface MountedVolume {
  name: string
  destination: string
  driver: string
  readOnly: boolean
}

/**
 * Returns what a mounted volume gives access to beyond the container's stack, or undefined for
 * nothing. A volume of the local driver can be a directory or a device of the host.
 *
 * @param known undefined if the Engine does not know the volume
 */
export function volumeReached(
  mounted: MountedVolume,
  known: KnownVolume | undefined,
  host: HostDirectories,
): Reached | undefined {
  const { name, destination, driver } = mounted
  const at = `the mount ${destination}: the volume ${name}`
  const attribute = `volume:${name}`
  if (known?.isInstallation) {
    return { degree: 'host', reason: `${at} of the service itself`, name: attribute }
  }
  if (driver !== 'local' && driver !== '') {
    return { degree: 'data', reason: `${at} of the driver ${driver}`, name: attribute }
  }
  const reached = optionsReached(mounted, known?.options ?? {}, host)
  if (reached || known?.isOwn) return reached
  return { degree: 'data', reason: at, name: attribute, volume: name }
}

/** Returns what the options of a local volume give access to. */
function optionsReached(
  { name, destination, readOnly }: MountedVolume,
  options: KnownVolume['options'],
  host: HostDirectories,
): Reached | undefined {
  if (disallowedVolumeOption(options) === undefined) return undefined
  const { type = '' } = options
  const paths = pathsIn(options)
  const degrees = paths.map((path) => pathDegree({ path, destination, readOnly }, host))
  const what = paths.length > 0 ? `${paths.join(', ')} of the host` : `of the type ${type}`
  const reason = `the mount ${destination}: the volume ${name}, which is ${what}`
  if (!knownTypes.has(type) || degrees.includes('host')) {
    return { degree: 'host', reason, name: `volume:${name}` }
  }
  if (paths.length > 0 && degrees.every((degree) => degree === 'none')) return undefined
  const [only, ...others] = paths
  return {
    degree: 'data',
    reason,
    name: only === undefined || others.length > 0 ? `volume:${name}` : only,
  }
}

/** Types whose device is a path that is bound, a share of another machine, or memory. */
const shares = ['cifs', 'nfs', 'nfs4', 'smb3']
const knownTypes = new Set(['', 'none', 'bind', 'overlay', 'tmpfs', ...shares])

/** Returns the paths of the host in the options: the device, and directories of an overlay. */
function pathsIn({ type = '', device = '', o = '' }: KnownVolume['options']): string[] {
  if (shares.includes(type)) return []
  return [device, ...o.split(/[,=:]/)]
    .map((text) => text.trim())
    .filter((text) => text.startsWith('/'))
}
