import { seconds } from '../create/quantities.ts'
import type { Service } from '../service.ts'
import type { BlkioConfig, Ulimit } from '../service-parts.ts'
import type { Path } from '../yaml/tree.ts'
import type { Finding } from './finding.ts'

/** Yields limits and kernel settings with which a service affects the rest of the host. */
export function* limitsReach(service: Service, at: Path): Generator<Finding> {
  yield* sysctls(service, at)
  yield* ulimitsReach(service.ulimits, [...at, 'ulimits'])
  yield* memory(service, at)
  yield* throttledPaths(service.blkio_config, [...at, 'blkio_config'])
  for (const key of Object.keys(service.storage_opt ?? {})) {
    if (key === 'size') continue
    yield { path: [...at, 'storage_opt', key], detail: `the storage option ${key}` }
  }
  const grace = seconds(service.stop_grace_period) ?? 0
  const waits = 'the Engine waits that long when the host shuts down'
  if (grace > graceSecondsMax) {
    yield { path: [...at, 'stop_grace_period'], detail: `it exceeds one hour, and ${waits}` }
  }
  if (grace < 0) {
    yield {
      path: [...at, 'stop_grace_period'],
      detail: `it is negative, thus endless, and ${waits}`,
    }
  }
}

const graceSecondsMax = 3600

/**
 * Settings that the kernel keeps per network or IPC namespace. Others apply to the whole host, or
 * did in kernels that are still in use: `nf_conntrack_max` of a container (CVE-2021-38209).
 */
const namespacedSysctl =
  /^(net\.(core|ipv4|ipv6|unix|mptcp)(\.[A-Za-z0-9_-]+)+|fs\.mqueue\.[a-z_]+|kernel\.(msgmax|msgmnb|msgmni|sem|shmall|shmmax|shmmni|shm_rmid_forced))$/

/** Returns whether a kernel setting applies to the container only. */
export const isNamespacedSysctl = (key: string): boolean => namespacedSysctl.test(key)

function* sysctls(service: Service, at: Path): Generator<Finding> {
  for (const key of Object.keys(service.sysctls ?? {})) {
    if (isNamespacedSysctl(key)) continue
    yield { path: [...at, 'sysctls', key], detail: `the kernel setting ${key}`, near: key }
  }
}

/**
 * Limits that affect the container only. `nice` and `rtprio` would give it precedence over the
 * host.
 */
const allowedLimits = new Set([
  ...['as', 'core', 'cpu', 'data', 'fsize', 'locks', 'memlock', 'msgqueue', 'nofile', 'nproc'],
  ...['rss', 'rttime', 'sigpending', 'stack'],
])

/** Returns whether a ulimit gives a container no precedence over processes of its host. */
export const isAllowedLimit = (name: string): boolean => allowedLimits.has(name)

/**
 * Yields limits of a service or a build that give its processes precedence over those of the host.
 */
export function* ulimitsReach(
  limits: Record<string, Ulimit> | undefined,
  at: Path,
): Generator<Finding> {
  for (const name of Object.keys(limits ?? {})) {
    if (isAllowedLimit(name)) continue
    yield {
      path: [...at, name],
      detail: `the limit ${name} gives it precedence over processes of the host`,
    }
  }
}

function* memory(service: Service, at: Path): Generator<Finding> {
  if ((service.oom_score_adj ?? 0) < 0) {
    const detail = 'a value below 0 makes the kernel kill processes of the host first'
    yield { path: [...at, 'oom_score_adj'], detail }
  }
}

const throttles = [
  ...(['weight_device', 'device_read_bps', 'device_read_iops'] as const),
  ...(['device_write_bps', 'device_write_iops'] as const),
]

/** Returns whether a path is that of a device, judging by its text. */
export const isDevicePath = (path: string): boolean =>
  /^\/dev(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(path)

/** The Engine checks these paths as root, and its error reveals whether they exist. */
function* throttledPaths(config: BlkioConfig | undefined, at: Path): Generator<Finding> {
  for (const kind of throttles) {
    for (const [index, { Path: path }] of (config?.[kind] ?? []).entries()) {
      if (isDevicePath(path)) continue
      yield { path: [...at, kind, index, 'path'], detail: `${path} is not a path of a device` }
    }
  }
}
