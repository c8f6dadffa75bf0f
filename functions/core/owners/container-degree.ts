import { ownEntry } from '../../compose/lookup.ts'
import { defaultCapabilities } from '../../compose/policy/service-reach.ts'
import type { ContainerAccess } from '../records/container.ts'
import { deviceDegree, type HostDirectories, pathDegree } from './host-paths.ts'
import type { Degree, Reached } from './reached.ts'
import { type KnownVolume, volumeReached } from './volume-reach.ts'

/** The place of a container on its host, which says what is its own. */
export interface ContainerPlace extends HostDirectories {
  /** Name of each mounted volume → what is known about it. */
  volumes: Readonly<Record<string, KnownVolume>>
}

/** What entering a container gives access to, and the mount or option that decides it. */
export interface ContainerDegree {
  degree: Degree
  /** Empty for `none`. */
  reason: string
}

/**
 * Returns what entering a container gives access to, judged by the Engine's inspection of it.
 * Limits, the log driver and attributes that this code does not know count for nothing.
 */
export function containerDegree(access: ContainerAccess, place: ContainerPlace): ContainerDegree {
  const all = reachedBy(access, place)
  const worst = all.find(({ degree }) => degree === 'host') ?? all[0]
  return worst ? { degree: worst.degree, reason: worst.reason } : { degree: 'none', reason: '' }
}

/**
 * Returns everything beyond its stack that a container has access to. What it shares with another
 * container by a namespace is in the inspection of that one.
 */
export const reachedBy = (access: ContainerAccess, place: ContainerPlace): Reached[] => [
  ...mounts(access, place),
  ...options(access.hostConfig),
]

function* mounts({ mounts }: ContainerAccess, place: ContainerPlace): Generator<Reached> {
  for (const { type, name, source, destination, driver, readOnly } of mounts) {
    if (type === 'bind') {
      const degree = pathDegree({ path: source, destination, readOnly }, place)
      if (degree === 'none') continue
      yield { degree, reason: `the mount ${destination}: ${source} of the host`, name: source }
    } else if (type === 'volume') {
      const mounted = { name, destination, driver, readOnly }
      const reached = volumeReached(mounted, ownEntry(place.volumes, name), place)
      if (reached) yield reached
    }
  }
}

/** Returns what one attribute of `HostConfig` gives access to. */
type Rule = (value: unknown, all: Readonly<Record<string, unknown>>) => Iterable<Reached>

function* options(hostConfig: ContainerAccess['hostConfig']): Generator<Reached> {
  for (const [name, rule] of Object.entries(rules)) {
    // A privileged container has no list of masked paths.
    if (Object.hasOwn(hostConfig, name)) yield* rule(hostConfig[name], hostConfig)
  }
}

const atHost =
  (reason: string): Rule =>
  (value) =>
    value === 'host' ? [{ degree: 'host', reason, name: reason }] : []

const emptied =
  (reason: string): Rule =>
  (value, { Privileged }) =>
    list(value).length > 0 || Privileged === true ? [] : [{ degree: 'host', reason, name: reason }]

/** Attributes that give access to something beyond the stack, except mounts. */
const rules: Record<string, Rule> = {
  Privileged: (value) =>
    value === true ? [{ degree: 'host', reason: 'the option privileged', name: 'privileged' }] : [],
  PidMode: atHost('the option pid: host'),
  IpcMode: atHost('the option ipc: host'),
  UsernsMode: atHost('the option userns_mode: host'),
  MaskedPaths: emptied('the option security_opt: systempaths=unconfined'),
  ReadonlyPaths: emptied('the option security_opt: systempaths=unconfined'),
  NetworkMode: (value) =>
    value === 'host'
      ? [{ degree: 'data', reason: 'the option network_mode: host', name: 'network_mode:host' }]
      : [],
  CapAdd: (value) => list(value).flatMap((name) => capabilityReached(name)),
  Devices: (value) => objects(value).flatMap(deviceReached),
  DeviceCgroupRules: (value) => list(value).map(deviceRuleReached),
  DeviceRequests: (value) =>
    objects(value).length > 0 ? [{ degree: 'data', reason: 'the option gpus', name: 'gpus' }] : [],
  Runtime: (value) =>
    value === 'nvidia'
      ? [{ degree: 'data', reason: 'the option runtime: nvidia', name: 'gpus' }]
      : [],
}

/** Capabilities with which a process leaves its container. */
const hostCapabilities = new Set([
  ...['ALL', 'BPF', 'DAC_READ_SEARCH', 'MAC_ADMIN', 'MAC_OVERRIDE', 'SYS_ADMIN', 'SYS_BOOT'],
  ...['SYS_MODULE', 'SYS_PTRACE', 'SYS_RAWIO'],
])

/** Capabilities that only affect limits and priorities, besides those that every container has. */
const limitCapabilities = new Set([
  ...['BLOCK_SUSPEND', 'IPC_LOCK', 'LEASE', 'NET_BROADCAST', 'SYS_NICE', 'SYS_RESOURCE'],
  ...['SYS_TTY_CONFIG', 'WAKE_ALARM'],
])

function capabilityReached(given: string): Reached[] {
  const name = given.toUpperCase().replace(/^CAP_/, '')
  if (defaultCapabilities.has(name) || limitCapabilities.has(name)) return []
  const degree = hostCapabilities.has(name) ? 'host' : 'data'
  return [{ degree, reason: `the option cap_add: ${name}`, name: `cap_add:${name}` }]
}

function deviceReached({ PathOnHost }: Record<string, unknown>): Reached {
  const path = String(PathOnHost)
  return { degree: deviceDegree(path), reason: `the device ${path}`, name: path }
}

/** Character devices with a number of their own are data, except memory (major 1). */
function deviceRuleReached(rule: string): Reached {
  const degree = /^c (?!0*1:)\d+:/.test(rule) ? 'data' : 'host'
  const reason = `the option device_cgroup_rules: ${rule}`
  return { degree, reason, name: `device_cgroup_rules:${rule}` }
}

const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const objects = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
