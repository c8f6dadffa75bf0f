import { normalizePath } from '../../compose/paths.ts'
import { isInside } from '../../compose/policy/resource-reach.ts'
import type { Degree } from './reached.ts'

/** A path of the host that a container mounts. */
export interface MountedPath {
  path: string
  /** Where the container has it. */
  destination: string
  readOnly: boolean
}

/** The directories of a host that decide what a path gives access to. */
export interface HostDirectories {
  /** The directory of the host's stacks. */
  stacksDirectory: string
  /** The directory of the container's own stack; undefined for a container of no stack. */
  ownDirectory: string | undefined
  /** Other paths with control of the host: the Engine's data and socket, the service's data. */
  controlPaths: readonly string[]
}

/** Returns what a mounted path of the host gives access to, by its text: no link is followed. */
export function pathDegree(mounted: MountedPath, host: HostDirectories): Degree {
  const path = hostPath(mounted.path)
  const { stacksDirectory, ownDirectory, controlPaths } = host
  if (isSocket(path) || isSocket(hostPath(mounted.destination))) return 'host'
  if (mounted.readOnly && isAnyInside(harmless, path)) return 'none'
  const controlled = [...always, ...controlPaths.map(hostPath)]
  if ([...controlled, hostPath(stacksDirectory)].some((one) => isInside(path, one))) return 'host'
  if (ownDirectory !== undefined && isInside(hostPath(ownDirectory), path)) return 'none'
  if (isAnyInside(dataDevices, path) || dataDeviceNames.test(path)) return 'data'
  if (isAnyInside(controlled, path) || userSockets.test(path)) return 'host'
  if (isAnyInside(secretConfiguration, path)) return 'host'
  if (isAnyInside(programs, path)) return mounted.readOnly ? 'data' : 'host'
  return isInside('/etc', path) && !mounted.readOnly && !isAnyInside(harmless, path)
    ? 'host'
    : 'data'
}

/** Returns what a device of the host gives access to. Unknown ones count as block devices. */
export function deviceDegree(path: string): 'data' | 'host' {
  const known = hostPath(path)
  return isAnyInside(dataDevices, known) || dataDeviceNames.test(known) ? 'data' : 'host'
}

/** Returns a path in its usual form. On today's systems `/var/run` is a link to `/run`. */
export function hostPath(path: string): string {
  const full = normalizePath(path)
  return full === '/var/run' || full.startsWith('/var/run/') ? full.slice('/var'.length) : full
}

const isAnyInside = (directories: readonly string[], path: string) =>
  directories.some((directory) => isInside(directory, path))

/** The usual names of the sockets of Engines and of the system bus, wherever they are. */
const isSocket = (path: string) =>
  /(^|\/)(docker|docker-[\w.-]+|dockerd|containerd|podman|crio|balena[\w.-]*)\.sock$/.test(path) ||
  path.endsWith('/system_bus_socket')

/**
 * With one of these, something in it or something above it, a container controls the host. A
 * read-only mount of a socket can be connected to as well: over the system bus, systemd starts any
 * command as root, and libvirt, LXD and snapd do so in ways of their own.
 */
const always = [
  ...['/boot', '/dev', '/proc', '/root', '/sys', '/run/systemd', '/var/spool/cron'],
  ...['/run/docker.sock', '/run/docker', '/run/containerd', '/run/podman', '/run/crio', '/run/k3s'],
  ...['/run/dbus', '/run/libvirt', '/run/snapd.socket', '/run/incus'],
  ...['/var/lib/lxd', '/var/snap/lxd', '/var/lib/incus', '/var/lib/rancher'],
  ...['/var/lib/docker', '/var/lib/containerd', '/var/lib/containers', '/var/lib/kubelet'],
  ...['/var/lib/container-stacks', '/var/snap/docker'],
  ...['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/ssh'],
]

/** Configuration that is secret, so that reading it is enough. */
const secretConfiguration = ['/etc/sudoers.d', '/etc/docker', '/etc/container-stacks']

/** Programs of the host, and rules by which it starts some: writing there controls it. */
const programs = [
  ...['/bin', '/lib', '/lib32', '/lib64', '/libx32', '/nix', '/opt/containerd', '/sbin', '/usr'],
  '/run/udev',
]

/**
 * Directories and sockets of users over which Engines without root, the user's bus and systemd
 * start commands outside of containers. The home of a user is data: it leads to root only for some
 * users, and most mounts of it are of one program's files.
 */
const userSockets = /^\/run\/user(\/\d+(\/(bus|podman|systemd)(\/.*)?)?)?$/

/** Facts about the host that every container may read. */
const harmless = [
  ...['/etc/localtime', '/etc/timezone', '/usr/share/zoneinfo', '/etc/machine-id', '/etc/hostname'],
  ...['/etc/hosts', '/etc/resolv.conf', '/etc/os-release', '/usr/lib/os-release'],
  ...['/etc/ssl/certs', '/etc/pki/tls/certs', '/etc/ca-certificates', '/lib/modules'],
  ...['/usr/share/ca-certificates', '/usr/lib/modules', '/usr/local/share/ca-certificates'],
]

/** Devices with which a container reads or disturbs others, but does not control the host. */
const dataDevices = ['/dev/dri', '/dev/snd', '/dev/net/tun', '/dev/serial', '/dev/bus/usb']
const dataDeviceNames =
  /^\/dev\/(tty(USB|ACM|AMA|S)\d+|video\d+|nvidia[\w-]*(\/.*)?|kfd|kvm|fuse|rtc\d*|i2c-\d+|gpio\w*|hidraw\d+|hwrng|dvb(\/.*)?|apex_\d+|vchiq|vcsm(-cma)?|null|zero|full|random|urandom|shm|ppp)$/
